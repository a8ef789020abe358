import { Button, SegmentedControl } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { Condition, ConditionGroup } from '#core/rules/conditions.ts'

import { ConditionRow } from './ConditionRow.tsx'
import { BLANK } from './conditionKinds.ts'
import type { ConditionParts } from './conditionKinds.ts'
import classes from './rules.module.css'

interface ConditionsEditorProps extends ConditionParts {
  readonly group: ConditionGroup
  readonly onChange: (group: ConditionGroup) => void
  /** Removes the whole group; null for the outermost group. */
  readonly onRemove?: () => void
  readonly depth?: number
}

/** How deep groups can be nested in the pickers. */
const MAX_DEPTH = 3

/** A group of conditions of which all must hold, or any. It may contain other groups. */
export function ConditionsEditor({ group, onChange, onRemove, depth = 0, ...parts }: ConditionsEditorProps) {
  const { t } = useTranslation('rules')
  const { canEdit } = parts
  const set = (at: number, item: Condition | ConditionGroup | null) =>
    onChange({
      ...group,
      items: group.items.flatMap((one, index) => (index !== at ? [one] : item === null ? [] : [item])),
    })
  return (
    <fieldset className={classes.group} data-depth={depth}>
      <legend className={classes.hidden}>{t('conditions.group')}</legend>
      {(group.items.length > 1 || depth > 0) && (
        <JoinBar group={group} canEdit={canEdit} onChange={onChange} onRemove={onRemove ?? null} />
      )}
      {group.items.length === 0 && <p className={classes.hint}>{t('conditions.empty')}</p>}
      {group.items.map((item, at) =>
        item.kind === 'group' ? (
          // Conditions have no names, so the place is the key.
          // oxlint-disable-next-line react/no-array-index-key
          <ConditionsEditor
            key={at}
            {...parts}
            group={item}
            depth={depth + 1}
            onChange={(next) => set(at, next)}
            onRemove={() => set(at, null)}
          />
        ) : (
          // oxlint-disable-next-line react/no-array-index-key
          <ConditionRow
            key={at}
            {...parts}
            no={at + 1}
            condition={item}
            onChange={(next) => set(at, next)}
            onRemove={() => set(at, null)}
          />
        ),
      )}
      {canEdit && (
        <AddBar
          group={group}
          mayNest={depth + 1 < MAX_DEPTH && group.items.length > 0}
          onAdd={(item) => onChange({ ...group, items: [...group.items, item] })}
        />
      )}
    </fieldset>
  )
}

interface JoinBarProps extends Pick<ConditionsEditorProps, 'group' | 'canEdit' | 'onChange'> {
  readonly onRemove: (() => void) | null
}

/** Whether all conditions of a group must hold or any, and the button that removes the group. */
function JoinBar({ group, canEdit, onChange, onRemove }: JoinBarProps) {
  const { t } = useTranslation('rules')
  return (
    <div className={classes.join}>
      <SegmentedControl
        size="sm"
        aria-label={t('conditions.join')}
        disabled={!canEdit}
        value={group.join}
        data={[
          { value: 'all', label: t('conditions.all') },
          { value: 'any', label: t('conditions.any') },
        ]}
        onChange={(join) => onChange({ ...group, join: join === 'any' ? 'any' : 'all' })}
      />
      {canEdit && onRemove !== null && (
        <Button size="compact-sm" h={36} variant="subtle" color="red.9" onClick={onRemove}>
          {t('conditions.removeGroup')}
        </Button>
      )}
    </div>
  )
}

interface AddBarProps {
  readonly group: ConditionGroup
  /** Whether the group may contain another group. */
  readonly mayNest: boolean
  readonly onAdd: (item: Condition | ConditionGroup) => void
}

/** Adds a condition to a group, or a nested group that is joined the other way. */
function AddBar({ group, mayNest, onAdd }: AddBarProps) {
  const { t } = useTranslation('rules')
  return (
    <div className={classes.join}>
      <Button
        size="xs"
        h={36}
        variant="light"
        leftSection={<IconPlus size={16} aria-hidden="true" />}
        onClick={() => onAdd(BLANK)}
      >
        {t('conditions.add')}
      </Button>
      {mayNest && (
        <Button
          size="xs"
          h={36}
          variant="subtle"
          onClick={() => onAdd({ kind: 'group', join: group.join === 'all' ? 'any' : 'all', items: [BLANK] })}
        >
          {t('conditions.addGroup')}
        </Button>
      )}
    </div>
  )
}
