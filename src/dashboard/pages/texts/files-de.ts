import type { FILES_EN } from './files-en.js'

/** The texts of the pages about a menu file as a whole, in German. */
export const FILES_DE: typeof FILES_EN = {
  files: {
    tabs: {
      label: 'Dieses Menü',
      edit: 'Einträge',
      preview: 'Vorschau',
      history: 'Verlauf',
      text: 'Text',
      new: 'Kopieren',
      export: 'Exportieren',
      delete: 'Löschen',
    },
    diff: (file) => `Die genaue Änderung an ${file}`,
    changes: 'Was sich ändert',
    text: {
      title: 'Text bearbeiten',
      lead: 'Die Datei, wie sie ist, mit Kommentaren. Sie wird geprüft, bevor Besucher die Änderung sehen.',
      label: 'Text der Datei',
      check: 'Prüfen',
      publish: 'Veröffentlichen',
      back: 'Zurück',
      problems: 'Probleme',
      invalid: 'Die Datei hat Fehler. Besucher bekommen nicht, was falsch ist.',
      warnings: 'Warnungen halten Sie nicht vom Veröffentlichen ab.',
      unchanged: 'Es gibt nichts zu veröffentlichen: Die Datei ist schon so.',
      fine: 'Keine Probleme gefunden. Das ändert sich mit dem Veröffentlichen.',
      stale: {
        changed:
          'Die Datei hat sich geändert, seit Sie sie geladen haben. Ihr Text steht noch da und wird mit der jetzigen Datei verglichen. Veröffentlichen ersetzt, was andere geschrieben haben.',
        gone: 'Die Datei wurde gelöscht, seit Sie sie geladen haben. Ihr Text steht noch da. Veröffentlichen legt sie wieder an.',
      },
    },
  },
}
