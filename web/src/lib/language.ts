const A_YEAR = 365 * 24 * 60 * 60;

/** The language of this page, which the server chose by what the browser asks for, or by what was chosen by hand. */
export function language(): string {
  return document.documentElement.lang;
}

/** From now on the server gives this browser the page in this language: it is loaded anew, if it is in another one. */
export function chooseLanguage(wanted: string): void {
  // Another tab may have chosen another language meanwhile.
  document.cookie = `language=${wanted}; Path=/; Max-Age=${A_YEAR}; SameSite=Lax`;
  if (wanted !== language()) location.reload();
}
