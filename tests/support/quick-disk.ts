import { type Disk, type DiskFile, systemDisk } from '../../host/journal/disk.ts';

const unsynced = async (file: Promise<DiskFile>): Promise<DiskFile> => ({
  ...(await file),
  sync: async () => {},
});
/** This disk without its syncs. Virtual time does not wait: on one that is slow to sync, what is decided shows late in it. */
export const quickDisk: Disk = {
  ...systemDisk,
  create: (path) => unsynced(systemDisk.create(path)),
  open: (path) => unsynced(systemDisk.open(path)),
};
