import { Designer } from './Designer.tsx'
import { WithDesign } from './openDesign.tsx'

/** The forms of a version: designed while it is a draft, read only afterwards. */
export function DesignScreen() {
  return (
    <WithDesign>
      {(opened) => (
        <Designer
          {...opened}
          canEdit={opened.isDraft && opened.permissions.includes('design_edit')}
          mayRule={opened.permissions.includes('rule_edit')}
        />
      )}
    </WithDesign>
  )
}
