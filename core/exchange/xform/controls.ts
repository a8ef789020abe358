import type { XmlNode } from './tree.ts'
import { attribute } from './tree.ts'

/** Which type of an XLSForm a control with its binding is. */
export function controlType(control: XmlNode, bind: XmlNode | undefined): string {
  switch (control.name) {
    case 'select1':
      return 'select_one'
    case 'select':
      return attribute(bind ?? control, 'type') === 'odk:rank' ? 'rank' : 'select_multiple'
    case 'rank':
      return 'rank'
    case 'range':
      return 'range'
    case 'trigger':
      return 'acknowledge'
    case 'upload':
      return uploadType(attribute(control, 'mediatype'))
    default:
      return inputType(bind)
  }
}

function uploadType(media: string): string {
  const [type = ''] = media.split('/')
  return ['image', 'audio', 'video'].includes(type) ? type : 'file'
}

const INPUTS: Readonly<Record<string, string>> = {
  string: 'text',
  int: 'integer',
  integer: 'integer',
  dateTime: 'dateTime',
}

/** A text that nobody may write in and nothing is calculated for is a note. */
function inputType(bind: XmlNode | undefined): string {
  const type = bind === undefined ? '' : attribute(bind, 'type').replace(/^\w+:/, '')
  const isFixed = bind !== undefined && attribute(bind, 'readonly') === 'true()' && attribute(bind, 'calculate') === ''
  if ((type === '' || type === 'string') && isFixed) return 'note'
  return type === '' ? 'text' : (INPUTS[type] ?? type)
}
