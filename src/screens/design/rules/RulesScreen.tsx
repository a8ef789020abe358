import { WithDesign } from '../openDesign.tsx'
import { Rules } from './Rules.tsx'

/** The rules of a version: edited while it is a draft, by users with the right to; read only for everybody else. */
export function RulesScreen() {
  return (
    <WithDesign>
      {(opened) => <Rules {...opened} canEdit={opened.isDraft && opened.permissions.includes('rule_edit')} />}
    </WithDesign>
  )
}
