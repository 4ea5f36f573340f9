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
