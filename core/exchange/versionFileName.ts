import type { SavedFormat } from './exportFormats.ts'
import { formatFiles } from './exportFormats.ts'

/**
 * The longest that a name has of the project's, 50 code points: four bytes each, they leave room for the rest in the
 * 255 of a file system.
 */
const LEADING = /^.{0,50}/u
/**
 * Not allowed by Windows, macOS or Linux; control characters and those that turn the direction of reading, which hide
 * an ending.
 */
const FORBIDDEN = /[\\/:*?"<>|\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu
/** Windows takes these for devices, whatever follows the point. */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)\s*(?=\.)/i

/** What a written version is called as a file: project, version and format, such as `Angina_V2.0_odm-1.3.2.xml`. */
export function versionFileName(projectName: string, versionNoDesc: string, format: SavedFormat): string {
  const project = cleanName(projectName).match(LEADING)?.[0].trim() ?? ''
  const name = [project, cleanName(versionNoDesc), format].filter((part) => part !== '').join('_')
  return `${name.replace(DEVICE, '_$&')}.${formatFiles[format].ending}`
}

/** Without what no file system takes; a point or a space in front would hide the file or be lost. */
function cleanName(text: string): string {
  return text
    .toWellFormed()
    .replace(FORBIDDEN, ' ')
    .replace(/\s+/g, ' ')
    .replace(/^[. ]+|[. ]+$/g, '')
}
