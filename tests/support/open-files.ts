import type { Disk, DiskFile } from '../../host/journal/disk.ts';

/** A disk that knows which of its files are open: the system closes those of a process that dies, after what is under way. */
export function openFilesOf(disk: Disk): { readonly disk: Disk; closeAll(): void } {
  const files = new Map<DiskFile, Promise<void>>();
  const kept = (file: DiskFile): DiskFile => {
    const during = (work: Promise<void>): Promise<void> => {
      files.set(
        file,
        work.catch(() => {}),
      );
      return work;
    };
    files.set(file, Promise.resolve());
    return {
      write: (bytes, position) => during(file.write(bytes, position)),
      truncate: (bytes) => during(file.truncate(bytes)),
      sync: () => during(file.sync()),
      close() {
        files.delete(file);
        return file.close();
      },
    };
  };
  const closeWhenIdle = async (file: DiskFile): Promise<void> => {
    for (let busy = files.get(file); busy !== undefined; ) {
      await busy;
      await new Promise((done) => setImmediate(done));
      if (files.get(file) === busy) break;
      busy = files.get(file);
    }
    if (files.delete(file)) await file.close().catch(() => {});
  };
  return {
    disk: {
      ...disk,
      create: async (path) => kept(await disk.create(path)),
      open: async (path) => kept(await disk.open(path)),
    },
    closeAll() {
      for (const file of files.keys()) void closeWhenIdle(file);
    },
  };
}
