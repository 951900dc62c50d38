import type { BROWSER_EN } from './browser-en.js'

/** What only scripts say, in German. */
export const BROWSER_DE: typeof BROWSER_EN = {
  browser: {
    change: '1 Änderung, nicht veröffentlicht',
    changes: '{count} Änderungen, nicht veröffentlicht',
    below: '1 Eintrag darunter',
    belowMany: '{count} Einträge darunter',
    nothingToUndo: 'Es gibt nichts zurückzunehmen.',
    nothingToRedo: 'Es gibt nichts zu wiederholen.',
    adopted: 'Jemand hat das Menü geändert. So ist es jetzt.',
    waiting:
      'Noch nicht gespeichert: Der Server antwortet nicht. Ihre Änderungen bleiben und werden erneut gesendet.',
    failing: 'Noch nicht gespeichert: {reason} Ihre Änderungen bleiben und werden erneut gesendet.',
    signedOut: 'Sie sind abgemeldet. Ihre Änderungen bleiben und werden gesendet, sobald Sie wieder da sind.',
    signIn: 'In einem anderen Tab anmelden',
    otherUser: 'Hier ist jetzt jemand anderes angemeldet. Ihre Änderungen bleiben, bis Sie wieder da sind.',
    refused: 'Ihre letzte Änderung konnte nicht gespeichert werden: {reason} So ist das Menü jetzt.',
    resumed: 'Änderungen, die beim Verlassen noch nicht gespeichert waren, wurden gesendet.',
    dropTop: 'Auf oberster Ebene',
    dropUnder: 'Unter {name}',
    dropped: 'Nicht verschoben.',
    help: 'Tasten',
    helpKeys: [
      ['Alt+↑ Alt+↓', 'Eintrag nach oben oder unten verschieben'],
      ['Alt+→', 'Unter den Eintrag darüber einordnen'],
      ['Alt+←', 'Eine Ebene höher verschieben'],
      ['↑ ↓', 'Zum Eintrag darüber oder darunter gehen'],
      ['Enter', 'Bearbeiten'],
      ['Entf', 'Löschen, mit allem darunter'],
      ['Strg+Z', 'Zurücknehmen'],
      ['Strg+Umschalt+Z', 'Wiederholen'],
      ['Strg+S', 'Prüfen und veröffentlichen'],
      ['?', 'Tasten zeigen'],
    ],
  },
  troubles: {
    tooLarge:
      'Nicht gesendet: Das ist mehr, als der Server annimmt. Kürzen Sie es und versuchen Sie es dann erneut.',
    unreachable:
      'Nicht gesendet: Der Server antwortet nicht. Ihre Eingaben sind noch da; versuchen Sie es erneut.',
    signedOut:
      'Nicht gesendet: Sie sind abgemeldet. Ihre Eingaben sind noch da; melden Sie sich an und versuchen Sie es erneut.',
    otherUser: 'Nicht gesendet: Hier ist jetzt jemand anderes angemeldet. Ihre Eingaben sind noch da.',
    role: 'Nicht gesendet: Sie haben jetzt die Rolle „view“. Ihre Eingaben sind noch da.',
    storage:
      'Nicht gesendet: Die Menüs lassen sich im Moment nicht schreiben. Ihre Eingaben sind noch da; versuchen Sie es später erneut.',
  },
}
