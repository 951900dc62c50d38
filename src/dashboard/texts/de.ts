import type { EN } from './en.js'

/** All that the pages say, in German. */
export const DE: typeof EN = {
  lang: 'de',
  dir: 'ltr',
  product: 'Menuscript',
  skip: 'Zum Inhalt springen',
  nav: { label: 'Verwaltung', menus: 'Menüs', problems: 'Probleme', newMenu: 'Neues Menü' },
  user: {
    signedInAs: 'Angemeldet als',
    signOut: 'Abmelden',
    canView: 'darf ansehen',
    canEdit: 'darf bearbeiten',
  },
  required: 'Pflichtfeld',
  optional: 'optional',
  errorSummary: 'Bitte prüfen Sie Ihre Angaben',

  signIn: {
    title: 'Anmelden',
    linkLead: 'Dieser Link meldet Sie in diesem Browser an. Er gilt einmal.',
    linkButton: 'Anmelden',
    name: 'Name',
    password: 'Passwort',
    button: 'Anmelden',
    signedOut: 'Sie sind abgemeldet.',
    noLogin: 'Hier hat noch niemand ein Passwort. Ein Link meldet Sie an:',
    newLink:
      'Starten Sie auf dem Rechner des Dienstes diesen Befehl und öffnen Sie den Link, den er ausgibt:',
    elsewhere:
      'Hier meldet Sie eine andere Seite an: die Ihrer Organisation oder Ihrer Website. Melden Sie sich zuerst dort an.',
    again: 'Ich bin angemeldet',
    orLink: 'Wer den Dienst betreibt, kann sich auch mit einem Link anmelden:',
    usedLink: 'Dieser Link wurde schon benutzt oder ist älter als 15 Minuten.',
    wrong: 'Der Name oder das Passwort ist falsch.',
    fillIn: 'Geben Sie Ihren Namen und Ihr Passwort ein.',
    wait: (seconds) =>
      `Zu viele Versuche. Versuchen Sie es in ${seconds === 1 ? 'einer Sekunde' : `${seconds} Sekunden`} noch einmal.`,
    busy: 'Gerade melden sich viele an. Versuchen Sie es in einigen Sekunden noch einmal.',
    forgotten: 'Passwort vergessen? Wer den Dienst betreibt, setzt ein neues mit',
  },
  kept: {
    signedOut:
      'Ihre Sitzung ist zu Ende. Ihre Eingaben wurden nicht gesendet; diese Seite behält sie. Melden Sie sich in einem anderen Tab an, dann senden Sie sie.',
    of: (user) =>
      `Nicht gesendet: Dieses Formular hat ${user} ausgefüllt, und hier ist jemand anderes angemeldet. Es bleibt auf dieser Seite, bis ${user} sich in einem anderen Tab anmeldet und es sendet.`,
    tooLong:
      'Ihre Sitzung ist zu Ende. Ihre Eingaben wurden nicht gesendet. Für diese Seite sind sie zu lang, aber Ihr Browser hat sie noch: Melden Sie sich in einem anderen Tab an, laden Sie dann diese Seite neu und bestätigen Sie.',
    send: 'Jetzt senden',
    typed: 'Eingaben zeigen',
    here: 'Ihre Eingaben sind noch da. Sie können sie noch einmal senden.',
    reload: 'Ihr Browser hat Ihre Eingaben noch. Laden Sie diese Seite neu, um sie noch einmal zu senden.',
  },
  returning: { title: 'Einen Moment', lead: 'Die Verwaltung wird geöffnet …', go: 'Weiter' },

  menus: {
    title: 'Menüs',
    count: (menus, codes) =>
      `${menus === 1 ? '1 Menü' : `${menus} Menüs`}${menus === codes ? '' : ` unter ${codes === 1 ? '1 Code' : `${codes} Codes`}`}`,
    search: 'Menüs suchen',
    searchHint: 'Code, Name, Text, Adresse, Sprache oder Problem',
    find: 'Suchen',
    clear: 'Alle Menüs zeigen',
    found: (count, query) =>
      `${count === 0 ? 'Kein Menü' : count === 1 ? '1 Menü' : `${count} Menüs`} zu „${query}“`,
    nothing: 'Keine Treffer. Versuchen Sie es mit weniger Wörtern oder einem Teil davon.',
    noContext: 'Für alle',
    items: (count) => (count === 0 ? 'Keine Einträge' : count === 1 ? '1 Eintrag' : `${count} Einträge`),
    translated: 'Übersetzt',
    allProblems: 'Alle Probleme',
    variants: (count) => `${count} Varianten`,
    file: 'Datei',
    states: {
      fine: 'Online',
      warning: (count) => (count === 1 ? '1 Warnung' : `${count} Warnungen`),
      lastGood: 'Ältere Fassung online',
      withheld: 'Nicht online',
      uncommitted: 'Ohne Commit',
    },
    draft: (user, changes) => `${user} bearbeitet: ${changes === 1 ? '1 Änderung' : `${changes} Änderungen`}`,
    ownDraft: (changes) => `Ihr Entwurf: ${changes === 1 ? '1 Änderung' : `${changes} Änderungen`}`,
    created: (file) => `Das neue Menü liegt in ${file}.`,
    deleted: 'Gelöscht und ohne Commit:',
    brokenTitle: (count) => (count === 1 ? 'Eine Datei hat einen Fehler' : `${count} Dateien haben Fehler`),
    brokenLead:
      'Besucher bekommen keine fehlerhafte Datei. Wenn es eine letzte gute Fassung gibt, bleibt diese sichtbar.',
    place: (line, column) => `Zeile ${line}, Spalte ${column}`,
    more: (count) => `und ${count} weitere`,
    emptyTitle: 'Legen Sie Ihr erstes Menü an',
    emptyLead: 'Ein Menü ist eine Liste von Links mit einem Namen. Ihre Website ruft es mit seinem Code ab.',
    steps: {
      name: { title: 'Benennen', text: 'Wählen Sie einen Code wie „main“ und einen verständlichen Namen.' },
      fill: {
        title: 'Füllen',
        text: 'Fügen Sie Links, Abschnitte und Trenner hinzu, in beliebig vielen Sprachen.',
      },
      show: { title: 'Zeigen', text: 'Vorlagen und API liefern das Menü aus, sobald seine Datei da ist.' },
    },
    emptyButton: 'Erstes Menü anlegen',
    emptyView: 'Es gibt noch kein Menü. Anlegen kann es, wer die Rolle „edit“ hat.',
    orFile: 'Oder schreiben Sie eine Datei von Hand:',
    pages: 'Seiten',
    previous: 'Zurück',
    next: 'Weiter',
    pageOf: (page, pages) => `Seite ${page} von ${pages}`,
  },

  newMenu: {
    title: 'Neues Menü',
    lead: 'Ein Code und ein Name genügen. Die Einträge kommen danach.',
    code: 'Code',
    codeHint:
      'Unter diesem Namen ruft Ihre Website das Menü ab, zum Beispiel main oder footer. Buchstaben, Ziffern, Punkte, Binde- und Unterstriche.',
    name: 'Name',
    nameHint: 'So heißt das Menü hier. Ohne Namen wird der Code angezeigt.',
    context: 'Nur in einem Kontext',
    contextLead:
      'Eine Variante für einen Teil der Besucher, etwa einen Partner oder eine Saison. Für das Menü, das alle bekommen, bleibt das leer.',
    key: (place) => `Name ${place}`,
    value: (place) => `Wert ${place}`,
    valueHint:
      'Zahlen, true und false gelten als solche: 3 ist eine Zahl, "3" in Anführungszeichen ein Text.',
    copy: 'Mit den Einträgen des Menüs ohne Kontext beginnen',
    button: 'Menü anlegen',
    copyTitle: (file) => `${file} kopieren`,
    copyLead: 'Die Kopie ist vollständig, mit Kommentaren. Geben Sie ihr einen anderen Code oder Kontext.',
    copyButton: 'Kopie anlegen',
    cancel: 'Abbrechen',
    needsCode: 'Geben Sie einen Code ein.',
    badCode:
      'Der Code hat höchstens 64 Buchstaben, Ziffern, Punkte, Binde- und Unterstriche und beginnt nicht mit einem Punkt.',
    taken: (file) => `Ein Menü mit diesem Code und Kontext gibt es schon, in ${file}.`,
    needsKey: 'Geben Sie den Namen zu diesem Wert ein.',
    repeatedKey: 'Dieser Name kommt zweimal vor.',
    sourceChanged:
      'Das Menü hat sich geändert, seit Sie das Formular geöffnet haben. Es wurde nichts geschrieben. Senden Sie es noch einmal, um das Menü zu kopieren, wie es jetzt ist.',
    uncopyable:
      'Die Einträge des Menüs ohne Kontext lassen sich nicht übernehmen. Ohne das Häkchen beginnt das Menü leer.',
  },

  keysLead:
    'Sie gelten in der Liste der Einträge, in Browsern mit JavaScript. Das Menü jeder Zeile tut dasselbe ohne Tasten.',
  problems: {
    title: 'Probleme',
    count: (errors, warnings) =>
      [
        ...(errors > 0 ? [`${errors} Fehler`] : []),
        ...(warnings > 0 ? [warnings === 1 ? '1 Warnung' : `${warnings} Warnungen`] : []),
      ].join(', '),
    allWell: 'Alles in Ordnung',
    allWellLead: 'Alle Menüdateien lassen sich lesen, und nichts darin sieht falsch aus.',
    error: 'Fehler',
    warning: 'Warnung',
    folder: 'Der Ordner der Menüs',
    more: (count) =>
      count === 1 ? '1 weiteres Problem steht nicht hier.' : `${count} weitere Probleme stehen nicht hier.`,
    lead: 'Eine Datei mit einem Fehler sehen Besucher nicht. Eine Warnung hält nichts zurück.',
  },

  readOnly: {
    role: 'Sie können hier alles ansehen. Zum Ändern brauchen Sie die Rolle „edit“.',
    storage:
      'Menüs lassen sich hier nicht ändern: Der Dienst kann ihre Dateien nicht schreiben. Ändern Sie sie an ihrer Quelle, etwa in ihrem Repository.',
  },

  errors: {
    back: 'Zu den Menüs',
    again: 'Erneut versuchen',
    signIn: 'Anmelden',
    reference: 'Kennung',
    titles: {
      400: 'Diese Anfrage war nicht zu verstehen',
      401: 'Sie sind nicht angemeldet',
      403: 'Das dürfen Sie nicht',
      404: 'Hier ist nichts',
      405: 'Das kann diese Seite nicht',
      408: 'Das hat zu lange gedauert',
      412: 'Das Menü hat sich inzwischen geändert',
      413: 'Das ist zu groß',
      415: 'Diese Anfrage war nicht zu verstehen',
      423: 'Die Dateien werden gerade benutzt',
      429: 'Zu viele Versuche',
      500: 'Etwas ist schiefgegangen',
      503: 'Das geht im Moment nicht',
      507: 'Dafür ist kein Platz',
    },
    details: {
      'not-found': 'Prüfen Sie die Adresse, oder gehen Sie zurück zu den Menüs.',
      'no-file': 'Diese Menüdatei gibt es nicht. Vielleicht wurde sie gelöscht oder umbenannt.',
      unauthorized: 'Ihre Sitzung ist zu Ende, oder Sie haben sich noch nicht angemeldet.',
      'role-view': 'Ihre Rolle ist „view“. Dazu brauchen Sie die Rolle „edit“.',
      'reserved-user':
        'Unter diesem Namen darf sich niemand anmelden. Wer den Dienst betreibt, gibt Ihnen einen anderen.',
      'cross-site': 'Diese Anfrage kam nicht von einer Seite der Verwaltung. Es wurde nichts geändert.',
      'bad-csrf-token': 'Die Seite war zu alt, deshalb wurde nichts geändert. Versuchen Sie es erneut.',
      'bad-host':
        'Unter diesem Namen gibt es die Verwaltung nicht. Öffnen Sie sie unter der Adresse, die der Dienst ausgibt.',
      'not-secure': 'Zum Anmelden brauchen Sie https oder einen Browser auf demselben Rechner.',
      'users-unusable':
        'Die Liste der Benutzer lässt sich nicht lesen. Den Grund findet, wer den Dienst betreibt, in dessen Log.',
      'internal-error': 'Es liegt nicht an Ihnen. Den Grund findet, wer den Dienst betreibt, in dessen Log.',
      'read-only': 'In den Ordner der Menüs kann nicht geschrieben werden. Es wurde nichts geändert.',
      busy: 'Git oder ein anderer Prozess schreibt gerade die Menüs. Versuchen Sie es gleich noch einmal.',
      'no-space': 'Die Festplatte ist voll. Es wurde nichts geändert.',
      'too-many-drafts':
        'Es gibt zu viele Entwürfe, oder ihre Änderungen sind zu groß. Es wurde nichts geändert. Veröffentlichen oder verwerfen Sie einige Ihrer Entwürfe.',
      'not-written': 'Die Festplatte meldet einen Fehler. Es wurde nichts geändert.',
      'body-too-large': 'Das Formular ist größer als erlaubt. Es wurde nichts geändert.',
      'too-many-fields': 'Das Formular hat mehr Felder als erlaubt. Es wurde nichts geändert.',
      'body-too-slow':
        'Das Formular kam zu langsam an. Es wurde nichts geändert. Versuchen Sie es noch einmal.',
    },
  },
}
