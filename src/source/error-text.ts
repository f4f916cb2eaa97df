const NUMBER_SIGN = 0x23;
/** White space beyond ASCII that a text may begin or end with. */
const WIDE_BLANKS: ReadonlySet<number> = new Set([0xa0, 0x3000, 0xfeff]);
/**
 * Error values of Excel, LibreOffice and Google Sheets in any language: `#REF!`, `#WERT!`, `#¡VALOR!`, `#¿NOMBRE?`,
 * `#ССЫЛКА!`; those without a mark at the end; and `########`, a column that is too narrow.
 */
const ERROR_VALUE =
  /^#(?:#+|[¡¿]?\p{Lu}[\p{Lu}\p{M}\d_/.]*[!?]|N\/[ADBV]|I\/T|E\/E|Н\/Д|Δ\/Υ|NV|YOK|HIÁNYZIK|NEDOSTUPNÝ|NENÍ[_ ]K[_ ]DISPOZICI|GETTING_DATA|DATEN_ABRUFEN|OBTENIENDO_DATOS|CHARGEMENT_DONNEES)$/u;
const TYPED_ERROR = /^#n\/a$/;
/** LibreOffice's errors without a name: `Err:502`, in other languages `错误:502`, `Fehler:502`. */
const NUMBERED =
  /^(?:Err|Erro|Errore|Fehler|Erreur|Fout|Fel|Feil|Fejl|Chyba|Błąd|Virhe|Hiba|Hata|Ошибка|错误|錯誤|エラー|오류)[:：] ?\d{3}$/u;
/** What Google Sheets shows while it calculates. */
const LOADING =
  /^(?:Loading|Wird geladen|Chargement|Chargement en cours|Cargando|Caricamento(?: in corso)?|Carregando|A carregar|Laden|Bezig met laden|Wczytywanie|Ładowanie|Загрузка|Yükleniyor|正在加载|加载中|正在載入|載入中|読み込んでいます|読み込み中|로드 중|로딩 중) ?(?:\.{3}|…)$/iu;
const LONGEST_LOADING = 32;

/** Whether a cell's whole text is an error value that was saved as text, or a column that was too narrow. */
export function isErrorText(text: string): boolean {
  const first = text.charCodeAt(0);
  // Asked of every text: nearly all are recognised by their first and last characters.
  if (first <= NUMBER_SIGN || WIDE_BLANKS.has(first)) return isErrorValue(text.trim());
  const last = text.charCodeAt(text.length - 1);
  const isDigit = last >= 0x30 && last <= 0x39;
  if (isDigit) return isColon(text.charCodeAt(text.length - 4)) && NUMBERED.test(text);
  const mayLoad = last === 0x2e || last === 0x2026;
  if (mayLoad) return text.length <= LONGEST_LOADING && LOADING.test(text);
  return (last <= 0x20 || WIDE_BLANKS.has(last)) && isErrorValue(text.trim());
}

function isErrorValue(text: string): boolean {
  return ERROR_VALUE.test(text) || TYPED_ERROR.test(text) || NUMBERED.test(text) || LOADING.test(text);
}

function isColon(code: number): boolean {
  return code === 0x3a || code === 0xff1a || code === 0x20;
}
