import type { DriftStatus } from '../../model/comparison.js';
import type { Status } from '../../model/status.js';
import type { ExtraPart } from '../../util/exceljs-private.js';
import { showable, xmlText } from '../../util/spreadsheet-text.js';
import { coloursOf } from './styles.js';

const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const DRAWING = 'http://schemas.openxmlformats.org/drawingml/2006';
const EMU_PER_PIXEL = 9525;
/** Ids of the two axes: any two numbers, used consistently. */
const [CATEGORIES, VALUES] = [504_001, 504_002];

export const DRAWING_RELATION = { Type: `${OFFICE}/drawing`, Target: '../drawings/drawing1.xml' } as const;

/** A bar for each status, rendered from the cells with the counts. */
interface StatusChart {
  /** Name of the sheet with the counts: statuses in column A, counts in column B. */
  readonly sheet: string;
  /** Row of the first count, from 1; the others follow. */
  readonly firstRow: number;
  readonly counts: readonly (readonly [Status | DriftStatus, number])[];
  /** Alternative text of the picture. */
  readonly words: string;
  /** Position: rows from 1, pixels within column B. */
  readonly place: {
    readonly top: number;
    readonly bottom: number;
    readonly left: number;
    readonly right: number;
  };
}

/** The parts of the chart and of its drawing; one workbook has one. */
export function chartParts(chart: StatusChart): ExtraPart[] {
  return [
    {
      name: 'xl/charts/chart1.xml',
      content: chartXml(chart),
      type: 'application/vnd.openxmlformats-officedocument.drawingml.chart+xml',
    },
    {
      name: 'xl/drawings/drawing1.xml',
      content: drawingXml(chart),
      type: 'application/vnd.openxmlformats-officedocument.drawing+xml',
    },
    {
      name: 'xl/drawings/_rels/drawing1.xml.rels',
      content:
        `${HEAD}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">` +
        `<Relationship Id="rId1" Type="${OFFICE}/chart" Target="../charts/chart1.xml"/></Relationships>`,
    },
  ];
}

function drawingXml({ words, place }: StatusChart): string {
  const corner = (tag: string, pixels: number, row: number): string =>
    `<xdr:${tag}><xdr:col>1</xdr:col><xdr:colOff>${pixels * EMU_PER_PIXEL}</xdr:colOff>` +
    `<xdr:row>${row}</xdr:row><xdr:rowOff>0</xdr:rowOff></xdr:${tag}>`;
  return (
    `${HEAD}<xdr:wsDr xmlns:xdr="${DRAWING}/spreadsheetDrawing" xmlns:a="${DRAWING}/main">` +
    '<xdr:twoCellAnchor editAs="oneCell">' +
    corner('from', place.left, place.top - 1) +
    corner('to', place.right, place.bottom) +
    '<xdr:graphicFrame macro=""><xdr:nvGraphicFramePr>' +
    `<xdr:cNvPr id="2" name="Chart 1" descr="${xmlText(showable(words))}"/>` +
    '<xdr:cNvGraphicFramePr/></xdr:nvGraphicFramePr>' +
    '<xdr:xfrm><a:off x="0" y="0"/><a:ext cx="0" cy="0"/></xdr:xfrm>' +
    `<a:graphic><a:graphicData uri="${DRAWING}/chart">` +
    `<c:chart xmlns:c="${DRAWING}/chart" xmlns:r="${OFFICE}" r:id="rId1"/></a:graphicData></a:graphic>` +
    '</xdr:graphicFrame><xdr:clientData/></xdr:twoCellAnchor></xdr:wsDr>'
  );
}

function chartXml({ sheet, firstRow, counts }: StatusChart): string {
  const name = xmlText(`'${sheet.replaceAll("'", "''")}'`);
  const range = (column: string): string =>
    `<c:f>${name}!$${column}$${firstRow}:$${column}$${firstRow + counts.length - 1}</c:f>`;
  const points = (values: readonly (string | number)[]): string =>
    `<c:ptCount val="${values.length}"/>` +
    values.map((value, index) => `<c:pt idx="${index}"><c:v>${value}</c:v></c:pt>`).join('');
  return (
    `${HEAD}<c:chartSpace xmlns:c="${DRAWING}/chart" xmlns:a="${DRAWING}/main" xmlns:r="${OFFICE}">` +
    '<c:roundedCorners val="0"/><c:chart><c:autoTitleDeleted val="1"/><c:plotArea><c:layout/>' +
    '<c:barChart><c:barDir val="bar"/><c:grouping val="clustered"/><c:varyColors val="0"/>' +
    '<c:ser><c:idx val="0"/><c:order val="0"/><c:tx><c:v>rows</c:v></c:tx><c:invertIfNegative val="0"/>' +
    counts.map(([status], index) => barXml(status, index)).join('') +
    '<c:dLbls><c:numFmt formatCode="#,##0" sourceLinked="0"/><c:spPr><a:noFill/><a:ln><a:noFill/></a:ln></c:spPr>' +
    `${TEXT}<c:dLblPos val="outEnd"/><c:showLegendKey val="0"/><c:showVal val="1"/><c:showCatName val="0"/>` +
    '<c:showSerName val="0"/><c:showPercent val="0"/><c:showBubbleSize val="0"/></c:dLbls>' +
    `<c:cat><c:strRef>${range('A')}<c:strCache>${points(counts.map(([status]) => status))}</c:strCache></c:strRef></c:cat>` +
    `<c:val><c:numRef>${range('B')}<c:numCache><c:formatCode>General</c:formatCode>` +
    `${points(counts.map(([, count]) => count))}</c:numCache></c:numRef></c:val>` +
    `</c:ser><c:gapWidth val="45"/><c:axId val="${CATEGORIES}"/><c:axId val="${VALUES}"/></c:barChart>` +
    // From top to bottom in the order of the cells; the values' axis is omitted, as each bar shows its number.
    `<c:catAx><c:axId val="${CATEGORIES}"/><c:scaling><c:orientation val="maxMin"/></c:scaling><c:delete val="0"/>` +
    '<c:axPos val="l"/><c:numFmt formatCode="General" sourceLinked="0"/><c:majorTickMark val="none"/>' +
    '<c:minorTickMark val="none"/><c:tickLblPos val="nextTo"/>' +
    '<c:spPr><a:ln w="9525"><a:solidFill><a:srgbClr val="BFBFBF"/></a:solidFill></a:ln></c:spPr>' +
    `${TEXT}<c:crossAx val="${VALUES}"/><c:crosses val="autoZero"/><c:auto val="1"/><c:lblAlgn val="ctr"/>` +
    '<c:lblOffset val="100"/><c:noMultiLvlLbl val="0"/></c:catAx>' +
    `<c:valAx><c:axId val="${VALUES}"/><c:scaling><c:orientation val="minMax"/><c:min val="0"/></c:scaling>` +
    '<c:delete val="1"/><c:axPos val="t"/><c:numFmt formatCode="General" sourceLinked="0"/>' +
    '<c:majorTickMark val="none"/><c:minorTickMark val="none"/><c:tickLblPos val="nextTo"/>' +
    `<c:crossAx val="${CATEGORIES}"/><c:crosses val="autoZero"/><c:crossBetween val="between"/></c:valAx>` +
    '<c:spPr><a:noFill/></c:spPr></c:plotArea><c:plotVisOnly val="1"/><c:dispBlanksAs val="gap"/></c:chart>' +
    '<c:spPr><a:solidFill><a:srgbClr val="FFFFFF"/></a:solidFill><a:ln><a:noFill/></a:ln></c:spPr>' +
    '</c:chartSpace>'
  );
}

const TEXT =
  '<c:txPr><a:bodyPr/><a:lstStyle/><a:p><a:pPr><a:defRPr sz="1000">' +
  '<a:solidFill><a:srgbClr val="404040"/></a:solidFill></a:defRPr></a:pPr><a:endParaRPr lang="en-US"/></a:p></c:txPr>';

/** One bar in the colours of its status, with the ink as border, so that light fills remain visible. */
function barXml(status: Status | DriftStatus, index: number): string {
  const { ground, ink } = coloursOf(status);
  return (
    `<c:dPt><c:idx val="${index}"/><c:invertIfNegative val="0"/><c:bubble3D val="0"/>` +
    `<c:spPr><a:solidFill><a:srgbClr val="${ground.slice(2)}"/></a:solidFill>` +
    `<a:ln w="12700"><a:solidFill><a:srgbClr val="${ink.slice(2)}"/></a:solidFill></a:ln></c:spPr></c:dPt>`
  );
}
