/** Which browser this is, by its own account. */

export interface BrowserFacts {
  /** The name that people know. */
  readonly name: string
  readonly engine: 'Chromium' | 'Safari' | 'Firefox' | 'inApp' | 'unknown'
  /** Version of the engine: major, or major.minor for Safari. */
  readonly version: string
}

/**
 * The least versions with everything that the app is built on: Map.groupBy, AbortSignal.any, module workers, color-mix.
 */
export const LEAST: Readonly<Record<'Chromium' | 'Safari' | 'Firefox', string>> = {
  Chromium: '117',
  Safari: '17.4',
  Firefox: '124',
}

/** Apps that show web pages inside of themselves, and may clear the stored data at any time. */
const IN_APP: readonly (readonly [RegExp, string])[] = [
  [/MicroMessenger/i, 'WeChat'],
  [/DingTalk/i, 'DingTalk'],
  [/\bQQ\//, 'QQ'],
  [/Lark|Feishu/i, 'Lark'],
]

const CHROMIUM_NAMES: readonly (readonly [RegExp, string])[] = [
  [/Edg[A-Z]?[a-z]*\//, 'Edge'],
  [/HuaweiBrowser\//, 'Huawei Browser'],
  [/MiuiBrowser\//, 'Mi Browser'],
  [/SamsungBrowser\//, 'Samsung Internet'],
  [/OPR\//, 'Opera'],
]

/** @param agent `navigator.userAgent` */
export function browserOf(agent: string): BrowserFacts {
  const inApp = IN_APP.find(([pattern]) => pattern.test(agent))?.[1]
  if (inApp !== undefined) return { name: inApp, engine: 'inApp', version: '' }
  const [, firefox] = /Firefox\/(\d+)/.exec(agent) ?? []
  if (firefox !== undefined) return { name: 'Firefox', engine: 'Firefox', version: firefox }
  const [, chromium] = /Chrom(?:e|ium)\/(\d+)/.exec(agent) ?? []
  if (chromium !== undefined) {
    const name = CHROMIUM_NAMES.find(([pattern]) => pattern.test(agent))?.[1] ?? 'Chrome'
    return { name, engine: 'Chromium', version: chromium }
  }
  // On an iPad every browser uses Safari's engine, which comes with the system.
  const [, major, minor] =
    /Version\/(\d+)\.(\d+).*Safari/.exec(agent) ??
    /(?:CPU|iPhone) OS (\d+)_(\d+).*(?:CriOS|FxiOS|EdgiOS)/.exec(agent) ??
    []
  if (major !== undefined) return { name: 'Safari', engine: 'Safari', version: `${major}.${minor ?? '0'}` }
  return { name: '', engine: 'unknown', version: '' }
}

/** Whether a version is at least as new as another: 17.10 is newer than 17.4. */
export function isAtLeast(version: string, least: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const [leastMajor = 0, leastMinor = 0] = least.split('.').map(Number)
  return major > leastMajor || (major === leastMajor && minor >= leastMinor)
}
