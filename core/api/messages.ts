import type { Language } from '#core/language.ts'

import type { ErrorCode } from './errors.ts'
import { messagesEn } from './messages.en.ts'
import { messagesZh } from './messages.zh.ts'

/** What an error says, by language. The app loads one language at a time; the server answers in the one asked for. */
export const errorMessages: Readonly<Record<Language, Readonly<Record<ErrorCode, string>>>> = {
  zh: messagesZh,
  en: messagesEn,
}
