import { TableFault } from '../fault.ts';

/** What a tree of records gives. Throws a TableFault `journal/not-intact` where the hashes that are there do not tell it. */
export function provable<Given>(give: () => Given): Given {
  try {
    return give();
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new TableFault(
      'journal/not-intact',
      `That cannot be proven: ${error.message}`,
      'See what is wrong with the record with: bakucore verify. Of removed records only their hashes are left.',
      { cause: error },
    );
  }
}
