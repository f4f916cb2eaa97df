import type { MapLeaf } from '../../model/map.js';
import type { LeafPlan } from '../plan.js';
import { bindColumn } from './column.js';
import { bindConstant } from './constant.js';
import { bindExpression } from './expression.js';
import type { LeafPlace, LeafSetting } from './place.js';
import { bindTemplate } from './template.js';

/** Binds a leaf; undefined when a problem was told instead. */
export function bindLeaf(leaf: MapLeaf, place: LeafPlace, setting: LeafSetting): LeafPlan | undefined {
  switch (leaf.kind) {
    case 'column':
      return bindColumn(leaf, place, setting);
    case 'value':
      return bindConstant(leaf, place, setting);
    case 'template':
      return bindTemplate(leaf, place, setting);
    case 'expr':
      return bindExpression(leaf, place, setting);
  }
}
