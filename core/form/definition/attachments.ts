/**
 * The attachments of a whole page. They are a field that the form's settings add, so that everything that holds for
 * fields holds for them.
 */

/** Code of that field. */
export const PAGE_FILES = '_files'

/** Id of the section that it is in. */
export const PAGE_FILES_SECTION = '_attachments'

/**
 * The column that the settings of a page option (`zl` of the option itself) add; null without attachments.
 *
 * @param settings the value under that key, unchecked
 */
export function attachmentColumn(settings: unknown): Readonly<Record<string, unknown>> | null {
  if (typeof settings !== 'object' || settings === null) return null
  const { attachment, attachmentRequired } = settings as {
    readonly attachment?: unknown
    readonly attachmentRequired?: unknown
  }
  if (attachment !== true && attachmentRequired !== true) return null
  return {
    prop: PAGE_FILES,
    type: 'upload',
    label: '附件',
    required: attachmentRequired === true,
    zl: { labels: { zh: '附件', en: 'Attachments' } },
  }
}
