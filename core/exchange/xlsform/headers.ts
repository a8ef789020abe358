/** Names of columns of the sheets of an XLSForm, in all spellings that converters take. */

export interface Header {
  /** In the spelling of the documentation. */
  readonly name: string
  /** Language after `::`; '' without one. */
  readonly language: string
  /** As the sheet has it. */
  readonly title: string
}

/** Other spellings, in lower case with underscores. */
const SPELLINGS: Readonly<Record<string, string>> = {
  relevance: 'relevant',
  'bind::relevant': 'relevant',
  read_only: 'readonly',
  'bind::readonly': 'readonly',
  'bind::read_only': 'readonly',
  calculate: 'calculation',
  'bind::calculate': 'calculation',
  'bind::constraint': 'constraint',
  'bind::required': 'required',
  constraint_msg: 'constraint_message',
  constraintmsg: 'constraint_message',
  'jr:constraintmsg': 'constraint_message',
  'bind::jr:constraintmsg': 'constraint_message',
  requiredmsg: 'required_message',
  required_msg: 'required_message',
  'jr:requiredmsg': 'required_message',
  'bind::jr:requiredmsg': 'required_message',
  caption: 'label',
  command: 'type',
  tag: 'name',
  'control::appearance': 'appearance',
  'body::appearance': 'appearance',
  'jr:count': 'repeat_count',
  'control::jr:count': 'repeat_count',
  'media::image': 'image',
  'media::audio': 'audio',
  'media::video': 'video',
  'media::big-image': 'big-image',
  list: 'list_name',
}

/** Columns that may be said in several languages. */
const SPOKEN = [
  'label',
  'hint',
  'guidance_hint',
  'constraint_message',
  'required_message',
  'image',
  'audio',
  'video',
  'big-image',
  'media::image',
  'media::audio',
  'media::video',
  'media::big-image',
  'caption',
  'jr:constraintmsg',
  'bind::jr:constraintmsg',
  'jr:requiredmsg',
  'bind::jr:requiredmsg',
]

/** Reads one cell of a header row. */
export function headerOf(cell: string): Header {
  const title = cell.trim()
  // Older forms have one colon where others have two.
  const whole = title.replace(/^(bind|body|control|media|instance)\s*:(?!:)/i, '$1::')
  const plain = normalizeTitle(whole)
  const known = SPELLINGS[plain]
  if (known !== undefined) return { name: known, language: '', title }
  for (const spoken of SPOKEN) {
    for (const mark of ['::', ':']) {
      if (!plain.startsWith(`${spoken}${mark}`)) continue
      const language = whole.slice(spoken.length + mark.length).trim()
      // `media::image` begins like a language of `media`, and is none.
      if (!plain.startsWith('bind:') || spoken.startsWith('bind:'))
        return { name: SPELLINGS[spoken] ?? spoken, language, title }
    }
  }
  return { name: plain, language: '', title }
}

function normalizeTitle(title: string): string {
  return title.toLowerCase().replaceAll(/\s+/g, '_')
}
