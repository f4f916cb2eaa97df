import { readSheet } from 'read-excel-file/node';
import { readAll } from './digest.mjs';

await readAll([await readSheet(process.argv[2])]);
