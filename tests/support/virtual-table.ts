export * from '../../bin/bench/virtual-table.ts';
