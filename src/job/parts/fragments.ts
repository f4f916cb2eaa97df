import { nearestName } from '../../util/name-match.js';
import { type Problem, problemAt } from '../problem.js';
import {
  type MapEntry,
  type MappingNode,
  type Node,
  type Place,
  type ScalarNode,
  shown,
  shownPosition,
} from '../yaml/node.js';
import { mergeMaps } from './defaults.js';
import { ParameterFilling } from './parameters.js';

type Given = ConstructorParameters<typeof ParameterFilling>[0];

/** The same limit as for a file. Fragments that use other fragments twice grow exponentially. */
const MAX_NODES = 100_000;

/** Inserts the fragments of `maps:` in the maps that use them (contract section 9). */
export class Fragments {
  readonly #maps: ReadonlyMap<string, MapEntry>;
  /** The `license-sync.yaml` as shown to users; undefined if there is none. */
  readonly #file: string | undefined;
  readonly #problems: Problem[];
  /** Names of the fragments that are being inserted, the outermost first. */
  #open: readonly string[] = [];
  #nodes = 0;
  /** True if a fragment was inserted. */
  used = false;

  constructor(maps: ReadonlyMap<string, MapEntry>, file: string | undefined, problems: Problem[]) {
    this.#maps = maps;
    this.#file = file;
    this.#problems = problems;
  }

  /**
   * A map with its fragments inserted. Its own keys have precedence over those of fragments, later fragments over earlier
   * ones.
   */
  expand(node: Node): Node {
    if (node.kind !== 'mapping') return node;
    const uses = node.entries.get('use');
    const entries = new Map<string, MapEntry>();
    for (const [name, entry] of node.entries) {
      if (uses && (name === 'use' || name === 'with')) continue;
      // The keys of `values` are texts of cells, such as "use".
      entries.set(name, name === 'values' ? entry : { ...entry, value: this.expand(entry.value) });
    }
    const rest: MappingNode = { ...node, entries };
    return uses ? this.#merged(uses, node.entries.get('with'), rest) : rest;
  }

  /** Reports unknown names and circles within all fragments, including those that the job does not use. */
  checkAll(): void {
    const done = new Set<string>();
    for (const { key, value } of this.#maps.values()) this.#check(value, [key], done);
  }

  #merged(uses: MapEntry, withs: MapEntry | undefined, map: MappingNode): Node {
    const names = this.#namesOf(uses);
    const given = this.#givenBy(withs);
    let below: Node | undefined;
    const missing = new Map<string, { readonly fragment: string; readonly place: Place }>();
    for (const name of names) {
      const fragment = this.#named(name);
      if (!fragment) continue;
      const filling = new ParameterFilling(given, name.place, this.#problems);
      const filled = filling.fill(fragment.value);
      this.#nodes += filling.nodes;
      if (this.#nodes > MAX_NODES) {
        this.#problems.push(problemAt(uses.keyPlace, 'job.yaml_too_large', {}));
        return map;
      }
      for (const [parameter, place] of filling.missing)
        if (!missing.has(parameter)) missing.set(parameter, { fragment: fragment.key, place });
      const outer = this.#open;
      this.#open = [...outer, fragment.key];
      const expanded = this.expand(filled);
      this.#open = outer;
      this.used = true;
      below = below ? mergeMaps(expanded, below) : expanded;
    }
    if (below) this.#compareParameters(uses, given, missing);
    return below ? mergeMaps(map, below) : map;
  }

  #namesOf({ key, keyPlace, value }: MapEntry): readonly ScalarNode[] {
    const items = value.kind === 'list' ? value.items : [value];
    const names = items.filter((it): it is ScalarNode => it.kind === 'scalar' && it.written.trim() !== '');
    if (items.length === 0 || names.length < items.length) {
      const place = value.kind === 'scalar' && value.value === null ? keyPlace : value.place;
      this.#problems.push(problemAt(place, 'job.bad_use', { key, value: shown(value) }));
    }
    return names;
  }

  #givenBy(withs: MapEntry | undefined): Given {
    const given = new Map<string, NonNullable<ReturnType<Given['get']>>>();
    if (!withs) return given;
    const { key, value: node } = withs;
    if (node.kind !== 'mapping') {
      this.#problems.push(problemAt(node.place, 'job.expected_mapping', { key, value: shown(node) }));
      return given;
    }
    for (const entry of node.entries.values()) {
      const { value } = entry;
      if (value.kind === 'scalar' && value.value !== null)
        given.set(entry.key, { entry, value, isUsed: false });
      else
        this.#problems.push(
          problemAt(value.place, 'job.expected_text', { key: entry.key, value: shown(value) }),
        );
    }
    return given;
  }

  /** The fragment with that name; undefined, with a problem added, if it is unknown, invalid or contains this use. */
  #named(name: ScalarNode): MapEntry | undefined {
    const fragment = this.#known(name);
    if (!fragment) return undefined;
    const { key, value } = fragment;
    if (this.#open.includes(key)) {
      this.#circle(name.place, this.#open, key);
      return undefined;
    }
    if (value.kind === 'mapping') return fragment;
    this.#problems.push(problemAt(value.place, 'job.fragment_no_mapping', { fragment: key }));
    return undefined;
  }

  #known({ written, place }: ScalarNode): MapEntry | undefined {
    const name = written.trim();
    const found = this.#maps.get(name);
    if (found) return found;
    const names = [...this.#maps.keys()];
    const known = names.join(', ');
    const near = nearestName(name, names);
    const file = this.#file;
    if (file === undefined) this.#report(problemAt(place, 'job.use_without_settings', { name }));
    else if (names.length === 0) this.#report(problemAt(place, 'job.use_without_maps', { name, file }));
    else if (near === undefined)
      this.#report(problemAt(place, 'job.unknown_fragment_far', { name, known, file }));
    else this.#report(problemAt(place, 'job.unknown_fragment', { name, near, known, file }));
    return undefined;
  }

  #compareParameters(
    uses: MapEntry,
    given: Given,
    missing: ReadonlyMap<string, { readonly fragment: string; readonly place: Place }>,
  ): void {
    const unused = [...given.values()].filter(({ isUsed }) => !isUsed);
    const missingNames = [...missing.keys()];
    const misspelt = new Set<string>();
    for (const { entry } of unused) {
      const near = nearestName(entry.key, missingNames);
      if (near === undefined) {
        this.#problems.push(problemAt(entry.keyPlace, 'job.unused_parameter', { name: entry.key }));
      } else {
        misspelt.add(near);
        const at = shownPosition(missing.get(near)!.place);
        this.#problems.push(
          problemAt(entry.keyPlace, 'job.misspelt_parameter', { name: entry.key, near, at }),
        );
      }
    }
    for (const [name, { fragment, place }] of missing) {
      if (misspelt.has(name)) continue;
      const params = { name, fragment, at: shownPosition(place) };
      this.#problems.push(problemAt(uses.value.place, 'job.missing_parameter', params));
    }
  }

  /** Checks each fragment once: nested fragments with two uses each would take exponential time. */
  #check(node: Node, open: readonly string[], done: Set<string>): void {
    if (node.kind !== 'mapping') return;
    for (const { key, value } of node.entries.values()) {
      if (key !== 'use') {
        if (key !== 'values') this.#check(value, open, done);
        continue;
      }
      for (const item of value.kind === 'list' ? value.items : [value]) {
        if (item.kind !== 'scalar') continue;
        const fragment = this.#known(item);
        if (!fragment) continue;
        if (open.includes(fragment.key)) this.#circle(item.place, open, fragment.key);
        else if (!done.has(fragment.key)) this.#check(fragment.value, [...open, fragment.key], done);
        done.add(fragment.key);
      }
    }
  }

  #circle(place: Place, open: readonly string[], name: string): void {
    const circle = [...open.slice(open.indexOf(name)), name].join(' -> ');
    this.#report(problemAt(place, 'job.fragment_circle', { circle }));
  }

  /** Adds a problem once for each position, however many uses lead to it. */
  #report(problem: Problem): void {
    const isSame = ({ file, line, column, code }: Problem) =>
      code === problem.code && file === problem.file && line === problem.line && column === problem.column;
    if (!this.#problems.some(isSame)) this.#problems.push(problem);
  }
}
