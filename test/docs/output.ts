/** Lines of an output block that the command did not print. `…` stands for anything; ids and durations may differ. */
export function linesNotPrinted(shown: string, printed: string): readonly string[] {
  const said = neutral(printed).split('\n');
  return shown.split('\n').filter((line) => {
    if (line.trim() === '' || line.trim() === '…') return false;
    const pattern = neutral(line).split('…').map(literal).join('.*');
    const wanted = new RegExp(`^${pattern}$`);
    return !said.some((it) => wanted.test(it));
  });
}

function neutral(text: string): string {
  return text
    .replace(/\b\d{8}-\d{6}-[0-9a-f]{6}\b/g, 'ID')
    .replace(/\b\d+(\.\d+)? s\b/g, 'N s')
    .replace(/ +$/gm, '');
}

function literal(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
