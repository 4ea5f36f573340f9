import { existsSync } from 'node:fs';
import { register } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { rejudge } from '../host/audit/rejudge.ts';
import type { openSource } from '../host/audit/source.ts';
import { TableFault, wordsOf } from '../host/fault.ts';
import type { PARTS } from '../host/parts.ts';

/** What of another version of this host judges: another program, taken as it stands. */
export interface OtherHost {
  readonly rejudge: typeof rejudge;
  readonly openSource: typeof openSource;
  readonly parts: typeof PARTS;
}

/**
 * Loads the built program of another version from its folder: a checkout with `dist/`, or such a `dist/` alone, which uses
 * the packages of this program then. Throws a TableFault `config/unknown-part` when there is none.
 */
export async function loadOtherHost(folder: string): Promise<OtherHost> {
  const root = existsSync(join(folder, 'dist/host')) ? join(folder, 'dist') : folder;
  lendPackages(root);
  const load = async (path: string): Promise<object> => {
    try {
      return await import(pathToFileURL(join(root, path)).href);
    } catch (error) {
      throw new TableFault(
        'config/unknown-part',
        `${root} is no built program of this host (${wordsOf(error)}).`,
        'Check that version out elsewhere, run npm ci and npm run build there, and name that folder.',
        { cause: error },
      );
    }
  };
  const [judging, sources, parts] = [
    await load('host/audit/rejudge.js'),
    await load('host/audit/source.js'),
    await load('host/parts.js'),
  ];
  return {
    rejudge: (judging as { rejudge: typeof rejudge }).rejudge,
    openSource: (sources as { openSource: typeof openSource }).openSource,
    parts: (parts as { PARTS: typeof PARTS }).PARTS,
  };
}

/** Lets files below a folder import packages that are not installed there from where this program has them. */
function lendPackages(root: string): void {
  const hook = `
    const root = ${JSON.stringify(pathToFileURL(join(root, '/')).href)};
    const own = ${JSON.stringify(import.meta.url)};
    export async function resolve(name, context, next) {
      try {
        return await next(name, context);
      } catch (error) {
        const isPackage = !/^[./]|^[a-z]+:/.test(name) && context.parentURL?.startsWith(root);
        if (error.code !== 'ERR_MODULE_NOT_FOUND' || !isPackage) throw error;
        return next(name, { ...context, parentURL: own });
      }
    }`;
  register(`data:text/javascript,${encodeURIComponent(hook)}`);
}
