import { ActionIcon, Button, Group, Menu, MultiSelect, SegmentedControl, Select } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { DEEPEST } from '#core/dataset/conditions.ts'
import { dateFromTyping } from '#core/values/dates.ts'
import { DayInput } from '#src/ui/DayInput.tsx'

import { FieldCondition } from './FieldCondition.tsx'
import { newDraft, withDraft } from './draft.ts'
import type { Draft, GroupDraft, GroupMode } from './draft.ts'
import type { Known } from './known.ts'
import classes from './search.module.css'

interface ConditionGroupProps {
  readonly group: GroupDraft
  readonly known: Known
  readonly depth: number
  readonly onChange: (group: GroupDraft) => void
  /** Null for the outermost group, which stays. */
  readonly onRemove: (() => void) | null
}

const MODES = ['all', 'any', 'not'] as const satisfies readonly GroupMode[]
const KINDS = ['field', 'center', 'sex', 'enrolled', 'group'] as const

/** Conditions that belong together: all of them, any of them, or none. */
export function ConditionGroup({ group, known, depth, onChange, onRemove }: ConditionGroupProps) {
  const { t } = useTranslation('search')
  const kinds = KINDS.filter((kind) => kind !== 'group' || depth < DEEPEST - 1)
  return (
    <fieldset className={classes.group} data-depth={depth}>
      <legend className={classes.hidden}>{t('group.mode')}</legend>
      <Group gap="xs" justify="space-between">
        <SegmentedControl
          size="md"
          aria-label={t('group.mode')}
          value={group.mode}
          data={MODES.map((mode) => ({ value: mode, label: t(`group.${mode}`) }))}
          onChange={(value) => {
            const mode = MODES.find((one) => one === value)
            if (mode !== undefined) onChange({ ...group, mode })
          }}
        />
        {onRemove !== null && <Remove label={t('removeGroup')} onClick={onRemove} />}
      </Group>
      {group.of.map((one) => {
        const change = (next: Draft | null) => onChange(withDraft(group, one.id, () => next))
        return one.kind === 'group' ? (
          <ConditionGroup
            key={one.id}
            group={one}
            known={known}
            depth={depth + 1}
            onChange={change}
            onRemove={() => change(null)}
          />
        ) : (
          <div key={one.id} className={classes.line}>
            <div className={classes.parts}>
              <Leaf draft={one} known={known} onChange={change} />
            </div>
            <Remove label={t('remove')} onClick={() => change(null)} />
          </div>
        )
      })}
      <Menu position="bottom-start" withinPortal>
        <Menu.Target>
          <Button
            size="md"
            variant="default"
            disabled={known.isFull}
            leftSection={<IconPlus size={18} aria-hidden="true" />}
            className={classes.add}
          >
            {t('add.any')}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {kinds.map((kind) => (
            <Menu.Item
              key={kind}
              mih="var(--zl-control)"
              onClick={() => onChange({ ...group, of: [...group.of, newDraft(kind)] })}
            >
              {t(`add.${kind}`)}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
    </fieldset>
  )
}

function Remove({ label, onClick }: { readonly label: string; readonly onClick: () => void }) {
  return (
    <ActionIcon size={44} variant="subtle" color="gray" aria-label={label} onClick={onClick}>
      <IconTrash size={20} />
    </ActionIcon>
  )
}

interface LeafProps {
  readonly draft: Exclude<Draft, GroupDraft>
  readonly known: Known
  readonly onChange: (draft: Draft) => void
}

function Leaf({ draft, known, onChange }: LeafProps) {
  const { t } = useTranslation('search')
  switch (draft.kind) {
    case 'field':
      return <FieldCondition draft={draft} known={known} onChange={onChange} />
    case 'center':
      return (
        <MultiSelect
          size="md"
          searchable
          label={t('center')}
          value={[...draft.centers]}
          data={known.centers.map(({ id, centerName }) => ({ value: id, label: centerName }))}
          onChange={(centers) => onChange({ ...draft, centers })}
        />
      )
    case 'sex':
      return (
        <Select
          size="md"
          label={t('sex.title')}
          value={draft.sex}
          data={(['F', 'M'] as const).map((value) => ({ value, label: t(`sex.${value}`) }))}
          onChange={(value) => onChange({ ...draft, sex: value === 'F' || value === 'M' ? value : null })}
        />
      )
    case 'enrolled':
      return (
        <>
          <Day label={t('enrolled.from')} day={draft.from} onDay={(from) => onChange({ ...draft, from })} />
          <Day label={t('enrolled.to')} day={draft.to} onDay={(to) => onChange({ ...draft, to })} />
        </>
      )
  }
}

/** A box for a day: it counts once a whole day is typed. */
function Day(props: {
  readonly label: string
  readonly day: string | null
  readonly onDay: (day: string | null) => void
}) {
  const [typed, setTyped] = useState(props.day ?? '')
  return (
    <DayInput
      label={props.label}
      value={typed}
      error={null}
      onChange={(text) => {
        setTyped(text)
        props.onDay(dateFromTyping(text))
      }}
      onBlur={() => undefined}
    />
  )
}
