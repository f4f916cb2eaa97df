import { nearestName } from '../../util/nearest.js';
import { type Problem, problemAt } from '../problem.js';
import { type MapEntry, type MappingNode, type Node, type ScalarNode, shown } from '../yaml/node.js';
import { type Place, shownPosition } from '../yaml/text.js';
import { mergeUnder } from './merge.js';
import { ParameterFilling } from './parameters.js';

type Given = ConstructorParameters<typeof ParameterFilling>[0];

/** As many as a file may have: fragments that use fragments twice each grow beyond all bounds. */
const MAX_NODES = 100_000;

/** Puts the fragments of `maps:` where maps use them (contract section 9), and remembers what it has met. */
export class Fragments {
  readonly #maps: ReadonlyMap<string, MapEntry>;
  /** Where the fragments would stand, as shown to people; undefined without a `license-sync.yaml`. */
  readonly #file: string | undefined;
  readonly #problems: Problem[];
  /** Names of the fragments that are being put in, from the outermost. */
  #open: readonly string[] = [];
  #nodes = 0;
  /** At least one was put in. */
  used = false;

  constructor(maps: ReadonlyMap<string, MapEntry>, file: string | undefined, problems: Problem[]) {
    this.#maps = maps;
    this.#file = file;
    this.#problems = problems;
  }

  /** A map with its fragments in place: its own keys win over a fragment's, and a later fragment over an earlier one. */
  expand(node: Node): Node {
    if (node.kind !== 'mapping') return node;
    const uses = node.entries.get('use');
    const own = new Map<string, MapEntry>();
    for (const [name, entry] of node.entries) {
      if (uses && (name === 'use' || name === 'with')) continue;
      // The keys of `values` are texts of cells, and one of them may be "use".
      own.set(name, name === 'values' ? entry : { ...entry, value: this.expand(entry.value) });
    }
    const rest: MappingNode = { ...node, entries: own };
    return uses ? this.#merged(uses, node.entries.get('with'), rest) : rest;
  }

  /** Tells of the uses within fragments that no job needs to use for them to be wrong: unknown names and circles. */
  checkAll(): void {
    const done = new Set<string>();
    for (const { key, value } of this.#maps.values()) this.#check(value, [key], done);
  }

  #merged(uses: MapEntry, withs: MapEntry | undefined, own: MappingNode): Node {
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
        return own;
      }
      for (const [parameter, place] of filling.missing)
        if (!missing.has(parameter)) missing.set(parameter, { fragment: fragment.key, place });
      const outer = this.#open;
      this.#open = [...outer, fragment.key];
      const expanded = this.expand(filled);
      this.#open = outer;
      this.used = true;
      below = below ? mergeUnder(expanded, below) : expanded;
    }
    if (below) this.#compareParameters(uses, given, missing);
    return below ? mergeUnder(own, below) : own;
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
        given.set(entry.key, { entry, value, taken: false });
      else
        this.#problems.push(
          problemAt(value.place, 'job.expected_text', { key: entry.key, value: shown(value) }),
        );
    }
    return given;
  }

  /** The fragment of that name, unless it is unknown, unfit or being put in already. */
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
    if (file === undefined) this.#tell(problemAt(place, 'job.use_without_settings', { name }));
    else if (names.length === 0) this.#tell(problemAt(place, 'job.use_without_maps', { name, file }));
    else if (near === undefined)
      this.#tell(problemAt(place, 'job.unknown_fragment_far', { name, known, file }));
    else this.#tell(problemAt(place, 'job.unknown_fragment', { name, near, known, file }));
    return undefined;
  }

  #compareParameters(
    uses: MapEntry,
    given: Given,
    missing: ReadonlyMap<string, { readonly fragment: string; readonly place: Place }>,
  ): void {
    const unused = [...given.values()].filter(({ taken }) => !taken);
    const lacking = [...missing.keys()];
    const meant = new Set<string>();
    for (const { entry } of unused) {
      const near = nearestName(entry.key, lacking);
      if (near === undefined) {
        this.#problems.push(problemAt(entry.keyPlace, 'job.unused_parameter', { name: entry.key }));
      } else {
        meant.add(near);
        const at = shownPosition(missing.get(near)!.place);
        this.#problems.push(
          problemAt(entry.keyPlace, 'job.misspelt_parameter', { name: entry.key, near, at }),
        );
      }
    }
    for (const [name, { fragment, place }] of missing) {
      if (meant.has(name)) continue;
      const params = { name, fragment, at: shownPosition(place) };
      this.#problems.push(problemAt(uses.value.place, 'job.missing_parameter', params));
    }
  }

  /** Looks at each fragment once, however often it is used: two uses each on many levels would be a great many. */
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
    this.#tell(problemAt(place, 'job.fragment_circle', { circle }));
  }

  /** Once for each place, however many jobs or fragments lead there. */
  #tell(problem: Problem): void {
    const same = ({ file, line, column, code }: Problem) =>
      code === problem.code && file === problem.file && line === problem.line && column === problem.column;
    if (!this.#problems.some(same)) this.#problems.push(problem);
  }
}
