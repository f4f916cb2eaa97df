/** One metric of a Prometheus text file with its samples, by their labels as one text. */
export interface Metric {
  readonly help: string;
  readonly type: string;
  readonly samples: Map<string, number>;
}

const SUFFIXES: Readonly<Record<string, readonly string[]>> = { summary: ['_sum', '_count'] };
const SAMPLE = /^([a-zA-Z_:][a-zA-Z0-9_:]*)\{((?:[a-zA-Z_]\w*="(?:[^"\\\n]|\\[\\"n])*",?)*)\} (\S+)$/;
const LABEL = /([a-zA-Z_]\w*)="((?:[^"\\\n]|\\[\\"n])*)"(,|$)/y;

/**
 * Reads the text format strictly, as far as this program uses it, and throws for whatever a collector might not
 * take: a sample apart from its metric or twice, HELP or TYPE twice or missing, a time stamp, a bad escape.
 */
export function parseMetrics(text: string): Map<string, Metric> {
  if (!text.endsWith('\n') || text.includes('\r')) throw new Error('lines must end with a line feed');
  const metrics = new Map<string, Metric>();
  let name = '';
  let help: string | undefined;
  for (const line of text.slice(0, -1).split('\n')) {
    const [, kind, of = '', rest = ''] = /^# (HELP|TYPE) (\S+) (.+)$/.exec(line) ?? [];
    if (kind === 'HELP') {
      if (metrics.has(of) || help !== undefined) throw new Error(`HELP out of place: ${line}`);
      [name, help] = [of, rest];
    } else if (kind === 'TYPE') {
      if (of !== name || help === undefined) throw new Error(`TYPE without HELP: ${line}`);
      metrics.set(name, { help, type: rest, samples: new Map() });
      help = undefined;
    } else if (!line.startsWith('#')) {
      addSample(metrics, name, line);
    }
  }
  for (const [of, { samples }] of metrics) if (samples.size === 0) throw new Error(`no sample of ${of}`);
  return metrics;
}

function addSample(metrics: Map<string, Metric>, current: string, line: string): void {
  const [, name = '', labels = '', value = ''] = SAMPLE.exec(line) ?? [];
  const metric = metrics.get(current);
  const suffix = name.slice(current.length);
  const allowed = SUFFIXES[metric?.type ?? ''] ?? [''];
  if (!metric || !name.startsWith(current) || !allowed.includes(suffix)) throw new Error(`stray: ${line}`);
  if (value === '' || !Number.isFinite(Number(value))) throw new Error(`no number: ${line}`);
  const key = `${suffix}{${labelKey(labels)}}`;
  if (metric.samples.has(key)) throw new Error(`twice: ${line}`);
  metric.samples.set(key, Number(value));
}

/** `job=orders,connection=production`; values as they were before they were escaped. */
function labelKey(text: string): string {
  const found: string[] = [];
  LABEL.lastIndex = 0;
  while (LABEL.lastIndex < text.length) {
    const [, name, value = ''] = LABEL.exec(text) ?? [];
    if (name === undefined) throw new Error(`labels: ${text}`);
    found.push(`${name}=${value.replace(/\\(.)/g, (_, it: string) => (it === 'n' ? '\n' : it))}`);
  }
  if (new Set(found.map((it) => it.split('=')[0])).size < found.length)
    throw new Error(`label twice: ${text}`);
  return found.join(',');
}
