import { isNeeded } from '../model/field.js';
import type { MapBranch } from '../model/map.js';
import { fold } from '../util/fold.js';
import { type Draft, keyColumn } from './build-draft.js';
import { columnLeaf, headerName } from './column-leaf.js';
import { branch, branchAt, type MissingField } from './draft.js';
import { fillIn, missingLeaf } from './fill-in.js';
import { squash } from './header-forms.js';
import type { Match } from './match.js';
import type { OwnTemplate } from './own-template.js';
import type { Profile } from './profile.js';
import type { SheetView } from './read-sheet.js';
import { type TargetField, tableOf } from './targets.js';

type Found = Match & { readonly sheet: string };

/** The map that a template was made from, with what its cells call for; columns that were taken out are left out. */
export function templateDraft(own: OwnTemplate, targets: readonly TargetField[]): Draft {
  const { main, views } = own;
  const map = branch('map');
  const matches: Found[] = [];
  const lacking: MissingField[] = [];
  const keys = new Map<SheetView, Set<string>>([...views.values()].map((it) => [it, new Set<string>()]));
  walk(own.map, [], main);
  if (views.size === 1) groupRepeated();
  const unused = [...views.values()].flatMap((view) =>
    view.columns
      .filter(
        (column) => !matches.some((it) => it.column === column) && !keys.get(view)?.has(column.header.folded),
      )
      .map((column) => ({ sheet: view.sheet.name, column })),
  );
  return { map, matches, lacking, unused };

  function walk(node: MapBranch, path: readonly string[], view: SheetView): void {
    const at = branchAt(map, path);
    if (node.each?.kind === 'columns') {
      at.each = { kind: 'columns', columns: node.each.columns.map((it) => headerIn(view, it)) };
    }
    const open: TargetField[] = [];
    for (const [name, member] of node.fields) {
      if (member.kind !== 'column') continue;
      const target = targets.find((it) => it.path.join('.') === [...path, name].join('.'));
      const column = columnIn(view, member.column);
      if (target === undefined) continue;
      if (column) {
        const match: Match = { target, column, score: 1, by: 'name', specific: 1 };
        matches.push({ ...match, sheet: view.sheet.name });
        at.members.push(columnLeaf(match, view.columns, view.cut));
      } else if (isNeeded(target.field)) open.push(target);
    }
    for (const target of open) at.members.push(missing(target, view));
    for (const [name, member] of node.fields)
      if (member.kind === 'branch') inside(member, [...path, name], view);
  }

  function inside(node: MapBranch, path: readonly string[], view: SheetView): void {
    if (node.each?.kind !== 'sheet') {
      if (leavesOf(node).some((it) => columnIn(view, it))) walk(node, path, view);
      return;
    }
    const other = views.get(node.each.sheet);
    if (!other) return;
    const on = node.each.on.map((it) => headerIn(view, it));
    for (const it of on) for (const sheet of [view, other]) keys.get(sheet)?.add(fold(it));
    branchAt(map, path).each = { kind: 'sheet', sheet: other.sheet.name, on };
    walk(node, path, other);
  }

  function missing(target: TargetField, view: SheetView) {
    const own = matches.filter((it) => it.target.level === target.level);
    const at = branchAt(map, target.path.slice(0, -1));
    const filled = fillIn(target, own, at);
    if (filled) return filled;
    lacking.push({ target, nearest: [] });
    return missingLeaf(target, new Set(view.columns.map((it) => squash(it.header.text))), [], undefined);
  }

  /** A flat template has an order a row; where a number stands twice, somebody has written orders of several rows. */
  function groupRepeated(): void {
    if (keyColumn('orderList', matches)?.unique !== false) return;
    for (const level of new Set(matches.map((it) => it.target.level))) {
      const key = ['orderList', 'assets', 'products'].includes(tableOf(level))
        ? keyColumn(level, matches)
        : undefined;
      if (key) branchAt(map, level.split('.')).each = { kind: 'columns', columns: [headerName(key)] };
    }
  }
}

function columnIn(view: SheetView, header: string): Profile | undefined {
  return view.columns.find((it) => it.header.folded === fold(header));
}

function headerIn(view: SheetView, header: string): string {
  const column = columnIn(view, header);
  return column ? headerName(column) : header;
}

function leavesOf(node: MapBranch): readonly string[] {
  return [...node.fields.values()].flatMap((it) =>
    it.kind === 'branch' ? leavesOf(it) : it.kind === 'column' ? [it.column] : [],
  );
}
