/** Controls, marks that turn the direction of text, what has no width, line ends of other kinds, halves of characters. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\u115f\u1160\u3164\uffa0]/gu;

/**
 * The same line with what a terminal would obey or hide spelt out as `\u202e`: a name out of a file must not move the
 * cursor, turn the text around or look like another name. JSON stays the JSON it was, since such characters stand only
 * inside its texts. Takes one line: a line end is spelt out too, as `\u000a`.
 */
export function visible(line: string): string {
  return line.replace(UNSEEN, (found) =>
    Array.from({ length: found.length }, (_, i) => `\\u${hexOf(found.charCodeAt(i))}`).join(''),
  );
}

function hexOf(code: number): string {
  return code.toString(16).padStart(4, '0');
}
