import { visible } from '../host/visible.ts';

/** Prints lines, given without their ends. What a terminal would obey or hide in them is spelt out. */
export function say(...lines: readonly string[]): void {
  process.stdout.write(textOf(lines));
}

/** The same beside the result, where warnings and progress go. */
export function sayAside(...lines: readonly string[]): void {
  process.stderr.write(textOf(lines));
}

function textOf(lines: readonly string[]): string {
  return lines.map((line) => `${visible(line)}\n`).join('');
}

/** Writes what was made to standard output, byte for byte. Resolves when it is handed on: an end right after cuts nothing off. */
export function writeOut(text: string): Promise<void> {
  return new Promise((done) => {
    process.stdout.write(text, () => done());
  });
}
