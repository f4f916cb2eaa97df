// The main file of the thread that splits a large text table into records.
import { serveReading } from '../reading-thread.js';
import { piecesAfter, type RecordWork, readRecords } from './csv-records.js';

// A larger number takes a tenth more memory and no less time.
void serveReading(({ dialect, emitted }: RecordWork) => piecesAfter(emitted, readRecords(dialect)), 2);
