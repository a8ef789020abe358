import type { Language } from '#core/language.ts'

const HAN = /\p{Script=Han}/u

/**
 * The name of a study in a reader's language. A study has one name; one that is given in Chinese and in English with
 * " / " between them is shown in the half that the reader reads, and any other as it is. Where it is changed, and in
 * what leaves the app, the whole name stands.
 */
export function studyName(name: string, language: Language): string {
  const [first = '', second, ...others] = name.split(' / ').map((part) => part.trim())
  if (second === undefined || others.length > 0 || HAN.test(first) === HAN.test(second)) return name
  return HAN.test(first) === (language === 'zh') ? first : second
}
