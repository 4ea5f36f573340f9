/** `prev` of the first record: 32 zero bytes, base64url. */
export const NO_PREV = 'A'.repeat(43);
