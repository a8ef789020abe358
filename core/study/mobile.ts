/**
 * What is wrong with a mobile number of mainland China (specification §5): it does not have eleven digits, or there is
 * no such number. An empty text is not wrong.
 */
export function wrongMobile(text: string): 'mobileLength' | 'mobileFormat' | null {
  if (text === '') return null
  if (text.length !== 11) return 'mobileLength'
  return /^1[3-9]\d{9}$/.test(text) ? null : 'mobileFormat'
}
