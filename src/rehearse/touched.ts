import { isGiven } from '../mapping/given-value.js';
import { isObject, type Json, type JsonObject, member } from '../model/json.js';

/** A customer as its channel knows it. */
interface TouchedCustomer {
  readonly channelCode: string;
  readonly channelCustomerId: string;
}

/** What rows and look-ups name of the platform, each once. */
export class TouchedThings {
  readonly #customers = new Map<string, TouchedCustomer>();
  readonly #enterprises = new Set<string>();
  readonly #crmCustomers = new Set<string>();

  get customers(): Iterable<TouchedCustomer> {
    return this.#customers.values();
  }

  get enterprises(): ReadonlySet<string> {
    return this.#enterprises;
  }

  get crmCustomers(): ReadonlySet<string> {
    return this.#crmCustomers;
  }

  /** All that a request's envelope and body name, however deep; what an earlier step will return is nobody yet. */
  addContent(envelope: JsonObject, body: Json): void {
    this.#walk(body, textIn(envelope, 'channelCode'));
    this.#walk(envelope, undefined);
  }

  addEnterprise(id: Json | undefined): void {
    const text = textOf(id);
    if (text !== undefined) this.#enterprises.add(text);
  }

  addCrmCustomer(id: Json | undefined): void {
    const text = textOf(id);
    if (text !== undefined) this.#crmCustomers.add(text);
  }

  #walk(value: Json, channel: string | undefined): void {
    if (Array.isArray(value)) {
      for (const it of value as readonly Json[]) this.#walk(it, channel);
      return;
    }
    if (!isObject(value)) return;
    const channelCode = textIn(value, 'channelCode') ?? channel;
    const channelCustomerId = textIn(value, 'channelCustomerId');
    if (channelCode !== undefined && channelCustomerId !== undefined) {
      const named = { channelCode, channelCustomerId };
      this.#customers.set(JSON.stringify([channelCode, channelCustomerId]), named);
    }
    this.addEnterprise(member(value, 'enterpriseGlobalId'));
    for (const it of Object.values(value)) if (typeof it === 'object') this.#walk(it, channelCode);
  }
}

function textIn(owner: JsonObject, name: string): string | undefined {
  return textOf(member(owner, name));
}

function textOf(value: Json | undefined): string | undefined {
  if (typeof value !== 'string') return undefined;
  const text = value.trim();
  return text === '' || isGiven(text) ? undefined : text;
}
