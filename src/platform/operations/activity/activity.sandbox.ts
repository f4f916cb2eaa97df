import type { Json, JsonObject } from '../../../model/json.js';
import {
  type Call,
  type Effect,
  type SimulatedDecision,
  type Simulation,
  textOf,
} from '../../simulated/simulation.js';
import type { State } from '../../simulated/state.js';
import { ACTIVITY_ENDPOINT } from './activity.endpoint.js';

interface ClaimEffect extends Effect {
  readonly kind: 'claim';
  readonly identity: string;
  readonly activityLabel: string;
}

/** Labels that lead to each result code (§7.2); every other label is an existing activity. */
export const RESERVED_LABELS = {
  'not-found': '3001',
  'not-eligible': '3002',
  filtered: '2001',
  busy: '1002',
  'bad-identity': '1004',
} as const;

const CLAIMS_PER_IDENTITY = 3;
const DAY = 86_400_000;

const MOBILE = /^(\+\d{1,3}[- ]?)?\d{11}$/;
const MAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;
const ACCOUNT = /^[A-Za-z][\w.-]{2,63}$/;
const LOCK_NUMBER = /^\d{10}$/;

function knownForm(state: State, identity: string): boolean {
  return (
    [MOBILE, MAIL, ACCOUNT, LOCK_NUMBER].some((form) => form.test(identity)) || state.assets.has(identity)
  );
}

function result(
  resultCode: string,
  resultMessage: string,
  extra: JsonObject = {},
): SimulatedDecision<ClaimEffect> {
  return { kind: 'reply', data: { resultCode, resultMessage, ...extra } };
}

function notEligible(label: string, errorCode: number, errorMessage: string): SimulatedDecision<ClaimEffect> {
  const unit = { id: `${label}-unit-1`, name: `${label} unit 1`, participateResult: false };
  return result('3002', 'the participant does not meet the conditions of the activity', {
    activityDtoList: [
      {
        id: `${label}-activity`,
        name: label,
        participateResult: false,
        engineSubActivityDtos: [{ ...unit, errorCode, errorMessage }],
      },
    ],
  });
}

function decide(state: State, { body }: Call): SimulatedDecision<ClaimEffect> {
  const identity = textOf(body, 'identity');
  const label = textOf(body, 'activityLabel');
  switch (label) {
    case 'not-found':
      return result(RESERVED_LABELS[label], 'the activity does not exist; check that it was created');
    case 'not-eligible':
      return notEligible(label, 14001, 'the participant is not of the group that the unit is meant for');
    case 'filtered':
      return result(RESERVED_LABELS[label], 'dropped by filter rule: branch not in the list');
    case 'busy':
      return result(RESERVED_LABELS[label], 'processing exception: the activity engine is busy');
    case 'bad-identity':
      return result(RESERVED_LABELS[label], `illegal participant information: ${identity}`);
  }
  if (!knownForm(state, identity)) {
    return result(
      '1004',
      `illegal participant information: ${identity} is no mobile number, e-mail, account or lock`,
    );
  }
  if (claimsOf(state, identity, label) >= CLAIMS_PER_IDENTITY) {
    return notEligible(label, 14005, 'personal claim count exceeded');
  }
  return { kind: 'effect', effect: { kind: 'claim', identity, activityLabel: label } };
}

/** One product active at claim, one activated later; both valid for a year from that day. */
function apply(state: State, effect: ClaimEffect, at: number): Json {
  const claims = claimsOf(state, effect.identity, effect.activityLabel) + 1;
  state.memory(MEMORY).set(claimKey(effect.identity, effect.activityLabel), claims);
  state.count('claims');
  const products = ['0', '1'].map((activateType, index) => ({
    activityId: `${effect.activityLabel}-activity`,
    subActivityId: `${effect.activityLabel}-unit-${index + 1}`,
    productUri: `P-ACT-${index + 1}`,
    limitStartDate: chinaTime(at),
    limitEndDate: chinaTime(at + 365 * DAY),
    activateType,
  }));
  return { resultCode: '0000', resultMessage: 'success', detail: { products } };
}

const MEMORY = 'claims';

function claimsOf(state: State, identity: string, label: string): number {
  return Number(state.memory(MEMORY).get(claimKey(identity, label)) ?? 0);
}

function claimKey(identity: string, label: string): string {
  return JSON.stringify([identity, label]);
}

/** `2026-01-31 08:30:00` in UTC+8: the validity strings' format is not shown (§2.8). */
function chinaTime(at: number): string {
  return new Date(at + 8 * 3_600_000).toISOString().slice(0, 19).replace('T', ' ');
}

/** §4.9, §2.7, §7.2. */
export const ACTIVITY_SIMULATION: Simulation<ClaimEffect> = {
  name: 'activity',
  endpoint: ACTIVITY_ENDPOINT,
  effect: 'claim',
  counts: ['claims'],
  choices: [
    {
      section: '§4.9',
      text: 'Every activity exists but the labels not-found (3001), not-eligible (3002), filtered (2001), busy (1002) and bad-identity (1004). An identity that is no mobile number, e-mail address, account or lock number gives 1004; a fourth claim of one activity gives 3002 with unit code 14005.',
    },
  ],
  decide,
  apply,
};
