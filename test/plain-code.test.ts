import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseSync, Visitor } from 'rolldown/utils';
import { expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../', import.meta.url));

/** Totals of `scripts/size.mjs` that must not grow. Lower a limit when its total is lower; raise one only with a reason. */
const LIMITS = {
  sourceLines: 129_924,
  sourceFiles: 873,
  smallFiles: 46,
  smallFilesWithOneImporter: 16,
  longFiles: 19,
  repeatedTypeNames: 0,
  testLines: 92_680,
  documentLines: 5_332,
};

/** Private words of earlier versions, each replaced by the field's term. */
const RETIRED = new Set(
  `House ConsoleGround useHands Hand mayAtRun MayDo conductRun tellLastWords ImportDesk Carriers CarriedRun BatchCarrier
  ChildNews PauseNews RunNews makeAside Wording kindred kindredScopes UndoneItems FormerKeys FormerVersions afterSent
  doubtUndone withDoubt CanaryStand Way wayOf Reached Wish SoFar HowEnded KnownRun askedBefore passingFolder AttemptFold
  lastOfPiece firstFound takeInSpools AskedEnd EndPlace IntentPlace waitsInDoubt RunInHand stepsInHand Rounds Standing
  StandingRows Looked openLooking pretend putOff Thinned letGo speakHelp adoptLanguage kin kinOf takenRows actWith Told
  Saying heard whoever mend lies stood harmless entered Still say tell told carry wayBack
  KeptReplies SettleDead LegacyKeys PriorJobVersions FormerVersion formerVersions formerKeys formerContent formerNamings
  formerStep SentBefore refuseRepeats refuseContradictions refuseEdited Settlement SettledBefore
  settledFrom settledOutcome settleDecided settlementsOf settlements settleItems settleKey settleIds settleUnknown settledWith
  ToSettle SettledKey itemsToSettle keysToSettle settlePage Unsettled unsettled doubtfulRuns isDoubtful isOpenDoubtful inDoubt
  doubted consent canaryConsent restConsent undoneOrders IdsGiven idsGiven insertGivenIds registerGivenIds drive
  SqlThingStore goOn carrying tellWait AfterEvent PASSED_ON findSecret stringifyJson`.split(/\s+/),
);

it('the code does not grow', () => {
  const script = path.join(ROOT, 'scripts/size.mjs');
  const totals = JSON.parse(
    execFileSync(process.execPath, [script, '--json'], { encoding: 'utf8' }),
  ) as Record<keyof typeof LIMITS, number>;
  const larger = Object.entries(LIMITS).filter(
    ([name, limit]) => totals[name as keyof typeof LIMITS] > limit,
  );
  expect(larger.map(([name, limit]) => `${name}: ${totals[name as keyof typeof LIMITS]} > ${limit}`)).toEqual(
    [],
  );
});

it('no retired identifier comes back', () => {
  const files = readdirSync(path.join(ROOT, 'src'), { recursive: true, encoding: 'utf8' });
  const found: string[] = [];
  for (const file of files.filter((it) => /\.tsx?$/.test(it))) {
    const { program } = parseSync(file, readFileSync(path.join(ROOT, 'src', file), 'utf8'));
    new Visitor({
      Identifier: ({ name }) => {
        if (RETIRED.has(name)) found.push(`${file}: ${name}`);
      },
      PrivateIdentifier: ({ name }) => {
        if (RETIRED.has(name)) found.push(`${file}: #${name}`);
      },
    }).visit(program);
  }
  expect(files.length).toBeGreaterThan(700);
  expect([...new Set(found)]).toEqual([]);
});
