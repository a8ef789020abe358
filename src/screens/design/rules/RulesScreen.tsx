import { WithDesign } from '../openDesign.tsx'
import { Rules } from './Rules.tsx'

/**
 * The rules of a version: written while it is a draft by who has the right to, and to be looked at by everybody else.
 */
export function RulesScreen() {
  return (
    <WithDesign>
      {(opened) => <Rules {...opened} canEdit={opened.isDraft && opened.permissions.includes('rule_edit')} />}
    </WithDesign>
  )
}
