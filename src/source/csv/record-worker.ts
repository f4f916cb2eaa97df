// The main file of the thread that cuts a large text table into records.
import { serveReading } from '../serve-reading.js';
import { piecesAfter, readRecords } from './records.js';
import type { RecordWork } from './records-ahead.js';

// More of them at once take a tenth more memory and no less time.
void serveReading(({ dialect, given }: RecordWork) => piecesAfter(given, readRecords(dialect)), 2);
