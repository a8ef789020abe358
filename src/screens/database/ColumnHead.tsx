import { ActionIcon, Button, Group, Popover, Stack } from '@mantine/core'
import { IconArrowDown, IconArrowUp, IconFilter, IconFilterFilled } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { DatabaseColumn } from '#core/api/calls/data/database.ts'
import type { AnswerTest } from '#core/dataset/conditions.ts'
import { TestEditor } from '#src/form/conditions/TestEditor.tsx'
import { draftOf, newTest, testOf } from '#src/form/conditions/testDraft.ts'

import classes from './database.module.css'

interface ColumnHeadProps {
  readonly title: string
  /** Null for a key of the row, which has filters of its own above the grid. */
  readonly column: DatabaseColumn | null
  readonly down: boolean | null
  readonly onSort: () => void
  readonly test: AnswerTest | null
  readonly onTest: (test: AnswerTest | null) => void
}

/** The head of a column: a tap sorts, the funnel filters. What is masked does neither. */
export function ColumnHead({ title, column, down, onSort, test, onTest }: ColumnHeadProps) {
  const { t } = useTranslation('database')
  const isMasked = column?.isMasked === true
  return (
    <>
      <button
        type="button"
        className={classes.sort}
        disabled={isMasked}
        title={isMasked ? t('sort.masked') : title}
        aria-label={isMasked ? `${title} · ${t('sort.masked')}` : t('sort.by', { column: title })}
        onClick={onSort}
      >
        <span>{title}</span>
        {down !== null &&
          (down ? <IconArrowDown size={14} aria-hidden="true" /> : <IconArrowUp size={14} aria-hidden="true" />)}
      </button>
      {column !== null && column.kind !== null && !isMasked && (
        <ColumnFilter key={JSON.stringify(test)} {...{ title, column, kind: column.kind, test, onTest }} />
      )}
    </>
  )
}

interface ColumnFilterProps extends Pick<ColumnHeadProps, 'title' | 'test' | 'onTest'> {
  readonly column: DatabaseColumn
  readonly kind: NonNullable<DatabaseColumn['kind']>
}

function ColumnFilter({ title, column, kind, test, onTest }: ColumnFilterProps) {
  const { t } = useTranslation('database')
  const of = { kind, isChange: false }
  const [isOpen, setOpen] = useState(false)
  const [draft, setDraft] = useState(() => (test === null ? newTest(of) : draftOf(test)))
  const next = testOf(draft, of)
  const take = (chosen: AnswerTest | null) => {
    setOpen(false)
    onTest(chosen)
  }
  return (
    <Popover opened={isOpen} onChange={setOpen} trapFocus position="bottom-end" withinPortal shadow="md">
      <Popover.Target>
        <ActionIcon
          size="lg"
          variant="subtle"
          color={test === null ? 'gray' : 'brand'}
          {...(test === null ? { c: 'var(--zl-grey)' } : {})}
          aria-label={t('filter.by', { column: title })}
          aria-pressed={test !== null}
          onClick={() => setOpen(!isOpen)}
        >
          {test === null ? <IconFilter size={16} /> : <IconFilterFilled size={16} />}
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown>
        <form
          onSubmit={(event) => {
            event.preventDefault()
            // A form in a layer still is inside the grid for events.
            event.stopPropagation()
            if (next !== null) take(next)
          }}
        >
          {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- keys typed here are not the grid's */}
          <div onKeyDown={(event) => event.key !== 'Escape' && event.stopPropagation()}>
            <Stack gap="xs" w={260}>
              <TestEditor draft={draft} of={of} codes={column.codes} onChange={setDraft} />
              <Group gap="xs">
                <Button size="md" type="submit" disabled={next === null}>
                  {t('filter.apply')}
                </Button>
                {test !== null && (
                  <Button size="md" variant="default" onClick={() => take(null)}>
                    {t('filter.clear')}
                  </Button>
                )}
              </Group>
            </Stack>
          </div>
        </form>
      </Popover.Dropdown>
    </Popover>
  )
}
