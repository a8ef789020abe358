import type { Language } from '#core/language.ts'

import { en } from './words.en.ts'
import { zh } from './words.zh.ts'
import type { PaperWords } from './words.ts'

const all: Readonly<Record<Language, PaperWords>> = { zh, en }

export function paperWords(language: Language): PaperWords {
  return all[language]
}
