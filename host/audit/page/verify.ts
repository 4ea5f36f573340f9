import { readKey } from '../../journal/note.ts';
import type { Verdict } from '../verdict.ts';
import { leftText, placeText } from '../what-is-left.ts';
import { verifyFiles } from './verify-files.ts';

function show(verdict: Verdict): void {
  const said = { intact: 'Intact', open: 'Intact so far', broken: 'Not intact' }[verdict.state];
  const { broken } = verdict;
  const lines = [
    `${placeText(verdict)}; ${verdict.checkpoints} signed checkpoints; ${verdict.signedSize} records vouched for.`,
    ...(verdict.root === undefined ? [] : [`Root ${verdict.root}`]),
    ...verdict.keys.map((one) => `Signed by ${one}`),
    ...verdict.notes,
  ];
  const lead =
    broken === undefined
      ? undefined
      : `${broken.text} First broken place: record ${broken.seq}, line ${broken.line}${broken.file === undefined ? '' : `, in ${broken.file}`}. ${leftText(verdict)}`;
  result(said, verdict.state, lines, lead);
}

function result(said: string, state: string, lines: readonly string[], lead?: string): void {
  const box = document.querySelector('#result');
  if (box === null) return;
  const title = document.createElement('p');
  title.className = `verdict ${state}`;
  title.textContent = said;
  const list = document.createElement('ul');
  for (const line of lines) {
    const item = document.createElement('li');
    item.textContent = line;
    list.append(item);
  }
  const first = document.createElement('p');
  first.textContent = lead ?? '';
  box.replaceChildren(title, ...(lead === undefined ? [] : [first]), list);
}

async function check(files: readonly File[]): Promise<void> {
  if (files.length === 0) return;
  const text = document.querySelector<HTMLInputElement>('#key')?.value.trim() ?? '';
  const key = text === '' ? undefined : readKey(text);
  if (text !== '' && key === undefined) {
    result('That is no public key', 'broken', ['A key reads name+8 hex digits+base64.']);
    return;
  }
  result(
    'Checking …',
    'open',
    files.map((file) => file.name),
  );
  try {
    const checked = await verifyFiles(files, key);
    if ('verdict' in checked) return show(checked.verdict);
    const { ok, lines } = checked.proofs;
    result(ok ? 'Proven' : 'Not proven', ok ? 'intact' : 'broken', lines);
  } catch (error) {
    result('Not understood', 'broken', [error instanceof Error ? error.message : String(error)]);
  }
}

const drop = document.querySelector<HTMLElement>('#drop');
const pick = document.querySelector<HTMLInputElement>('#pick');
pick?.addEventListener('change', () => {
  const files = [...(pick.files ?? [])];
  // Another copy of the same name is a change as well, and is checked again.
  pick.value = '';
  void check(files);
});
drop?.addEventListener('dragover', (event) => {
  event.preventDefault();
  drop.classList.add('over');
});
drop?.addEventListener('dragleave', () => drop.classList.remove('over'));
drop?.addEventListener('drop', (event) => {
  event.preventDefault();
  drop.classList.remove('over');
  void check([...(event.dataTransfer?.files ?? [])]);
});
