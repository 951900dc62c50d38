/** The texts of the pages about a menu file as a whole. */
export const FILES_EN = {
  files: {
    tabs: {
      label: 'This menu',
      edit: 'Items',
      preview: 'Preview',
      history: 'History',
      text: 'Text',
      new: 'Copy',
      export: 'Export',
      delete: 'Delete',
    },
    diff: (file: string): string => `The exact change of ${file}`,
    changes: 'What changes',
    text: {
      title: 'Edit the text',
      lead: 'The file as it is, comments included. It is checked like any change before visitors see it.',
      label: 'Text of the file',
      check: 'Check',
      publish: 'Publish',
      back: 'Back',
      problems: 'Problems',
      invalid: 'The file has errors. Visitors do not get what is wrong.',
      warnings: 'Warnings do not keep you from publishing.',
      unchanged: 'There is nothing to publish: this is the file as it is.',
      fine: 'No problems found. This is what publishing changes.',
      stale: {
        changed:
          'The file has changed since you loaded it. Your text is kept below, and compared with the file as it is now. Publishing replaces what others wrote.',
        gone: 'The file was deleted since you loaded it. Your text is kept below. Publishing creates the file again.',
      },
    },
  },
}
