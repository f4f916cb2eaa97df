import { describe, expect, it } from 'vitest';
import { localTime, zone, zonedText } from '../../src/util/zoned-time.js';

const iso = (ms: number): string => new Date(ms).toISOString();

function instant(name: string, local: string): string {
  const found = zone(name)!.instant(Date.parse(`${local}Z`));
  return found.kind === 'gap' ? 'gap' : iso(found.ms);
}

describe('local times of a zone are instants, gaps included', () => {
  it.each([
    ['Asia/Shanghai', '2026-01-31T08:30:00', '2026-01-31T00:30:00.000Z'],
    // China had summer time until 1991: a fixed offset would be an hour off.
    ['Asia/Shanghai', '1990-07-01T00:00:00', '1990-06-30T15:00:00.000Z'],
    ['Asia/Kolkata', '2026-01-31T00:00:00', '2026-01-30T18:30:00.000Z'],
    ['America/New_York', '2026-07-01T00:00:00', '2026-07-01T04:00:00.000Z'],
    ['America/New_York', '2026-03-08T01:59:59', '2026-03-08T06:59:59.000Z'],
    ['America/New_York', '2026-03-08T02:30:00', 'gap'],
    ['America/New_York', '2026-03-08T03:00:00', '2026-03-08T07:00:00.000Z'],
    // Twice on this night: the earlier.
    ['America/New_York', '2026-11-01T01:30:00', '2026-11-01T05:30:00.000Z'],
    ['Australia/Lord_Howe', '2026-10-04T02:15:00', 'gap'],
    ['Pacific/Kiritimati', '2026-01-01T00:00:00', '2025-12-31T10:00:00.000Z'],
    ['UTC', '2026-01-01T00:00:00', '2026-01-01T00:00:00.000Z'],
    ['Asia/Shanghai', '0099-01-01T00:00:00', '0098-12-31T15:54:17.000Z'],
  ])('%s %s', (name, local, wanted) => {
    expect(instant(name, local)).toBe(wanted);
  });

  it('days begin with their first instant, also where midnight is skipped', () => {
    const beirut = zone('Asia/Beirut')!;
    const day = Date.parse('2025-03-30T12:00:00Z');
    expect(beirut.startOfDay(day)).toEqual({ kind: 'instant', ms: Date.parse('2025-03-29T22:00:00Z') });
    expect(beirut.afterDay(day - 86_400_000)).toEqual({
      kind: 'instant',
      ms: Date.parse('2025-03-29T22:00:00Z'),
    });
    expect(beirut.afterDay(day)).toEqual({ kind: 'instant', ms: Date.parse('2025-03-30T21:00:00Z') });
  });

  it('a day that a zone skipped does not exist, and the day before it still ends', () => {
    const apia = zone('Pacific/Apia')!;
    expect(apia.startOfDay(Date.parse('2011-12-30T00:00:00Z'))).toEqual({ kind: 'gap' });
    expect(apia.afterDay(Date.parse('2011-12-30T00:00:00Z'))).toEqual({ kind: 'gap' });
    expect(apia.afterDay(Date.parse('2011-12-29T00:00:00Z'))).toEqual({
      kind: 'instant',
      ms: Date.parse('2011-12-30T10:00:00Z'),
    });
  });

  it('there and back again', () => {
    const zones = ['Asia/Shanghai', 'America/New_York', 'Europe/London', 'Australia/Lord_Howe'].map(
      (it) => zone(it)!,
    );
    for (const it of zones) {
      for (
        let ms = Date.parse('2026-01-01T00:00:00Z');
        ms < Date.parse('2027-01-01T00:00:00Z');
        ms += 5_400_000
      ) {
        const back = it.instant(it.local(ms));
        // An hour that comes twice is read as the earlier.
        expect(back.kind === 'instant' && [0, 1_800_000, 3_600_000].includes(ms - back.ms)).toBe(true);
      }
    }
  });

  it('knows no zone of a wrong name', () => {
    expect(zone('Mars/Olympus')).toBeUndefined();
    expect(zone('')).toBeUndefined();
  });

  it('no calendar has the 30th of February', () => {
    expect(localTime(2026, 2, 30)).toBeUndefined();
    expect(localTime(2100, 2, 29)).toBeUndefined();
    expect(localTime(2000, 2, 29)).toBe(Date.parse('2000-02-29T00:00:00Z'));
    expect(localTime(2026, 1, 1, 24)).toBeUndefined();
    expect(localTime(0, 1, 1)).toBeUndefined();
  });
});

describe('an instant in a text for people', () => {
  it('is the wall-clock time of the zone, with its name', () => {
    const at = Date.parse('2026-11-21T20:03:11.500Z');
    expect(zonedText(at, 'Asia/Shanghai')).toBe('2026-11-22 04:03:11 Asia/Shanghai');
    expect(zonedText(at, 'America/New_York')).toBe('2026-11-21 15:03:11 America/New_York');
    expect(zonedText(at, 'Nowhere/Else')).toBe('2026-11-21 20:03:11 UTC');
  });
});
