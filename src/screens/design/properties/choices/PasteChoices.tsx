import { Button, Group, Radio, Stack, Text, Textarea } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Raw } from '#core/form/definition/option.ts'
import { DataTable } from '#src/ui/lists/DataTable.tsx'
import { Note } from '#src/ui/Note.tsx'
import { Sheet, SheetFoot } from '#src/ui/dialogs/Sheet.tsx'

import classes from './choices.module.css'
import type { ChoiceFate, PastedChoices } from './pastedChoices.ts'
import { isTaken, readPasted, withPasted } from './pastedChoices.ts'

interface PasteChoicesProps {
  readonly choices: readonly Raw[]
  readonly onChange: (choices: readonly Raw[]) => void
  readonly onClose: () => void
}

type Mode = 'add' | 'replace'

/** Takes choices from the cells of a spreadsheet, after it has shown what becomes of each line. */
export function PasteChoices({ choices, onChange, onClose }: PasteChoicesProps) {
  const { t } = useTranslation(['design', 'common'])
  const [text, setText] = useState('')
  const [mode, setMode] = useState<Mode>('add')
  const pasted = readPasted(text, choices)
  const coming =
    mode === 'add' ? countOf(pasted, 'added') + countOf(pasted, 'changed') : pasted.lines.filter(isTaken).length
  return (
    <Sheet size="lg" title={t('props.paste.title')} onClose={onClose}>
      <Stack>
        <Textarea
          data-autofocus
          label={t('props.paste.label')}
          description={t('props.paste.hint')}
          rows={6}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        {pasted.lines.length > 0 && (
          <>
            {choices.length > 0 && (
              <Radio.Group label={t('props.paste.mode')} value={mode} onChange={(next) => setMode(next as Mode)}>
                <Group mt={4}>
                  {(['add', 'replace'] as const).map((one) => (
                    <Radio key={one} value={one} label={t(`props.paste.modes.${one}`)} />
                  ))}
                </Group>
              </Radio.Group>
            )}
            {mode === 'replace' && pasted.missing.length > 0 && (
              <Note tone="warning">
                {t('props.paste.gone', {
                  count: pasted.missing.length,
                  names: pasted.missing.map(({ label, value }) => String(label ?? value)).join('、'),
                })}
              </Note>
            )}
            <Preview pasted={pasted} />
          </>
        )}
        <SheetFoot>
          <Button variant="default" size="md" onClick={onClose}>
            {t('common:action.cancel')}
          </Button>
          <Button
            size="md"
            disabled={coming === 0}
            onClick={() => {
              onChange(withPasted(choices, pasted, mode))
              onClose()
            }}
          >
            {t(mode === 'add' ? 'props.paste.submit' : 'props.paste.replace', { count: coming })}
          </Button>
        </SheetFoot>
      </Stack>
    </Sheet>
  )
}

function countOf({ lines }: PastedChoices, fate: ChoiceFate): number {
  return lines.filter((line) => line.fate === fate).length
}

/** The lines as they were read, with what becomes of each. */
function Preview({ pasted }: { readonly pasted: PastedChoices }) {
  const { t } = useTranslation('design')
  const left = countOf(pasted, 'doubled') + countOf(pasted, 'empty')
  const columns = (['value', 'label', 'labelEn'] as const).filter(
    (key) => key !== 'labelEn' || pasted.lines.some(({ labelEn }) => labelEn !== ''),
  )
  return (
    <div>
      <Text size="sm" component="output" className={classes.counts}>
        {t('props.paste.counts', {
          added: countOf(pasted, 'added'),
          changed: countOf(pasted, 'changed'),
          same: countOf(pasted, 'same'),
        })}
        {left > 0 && ` · ${t('props.paste.left', { count: left })}`}
      </Text>
      <div className={classes.preview}>
        <DataTable
          caption={t('props.paste.label')}
          rows={pasted.lines}
          rowKey={({ line }) => String(line)}
          columns={[
            ...columns.map((key) => ({
              key,
              title: t(`props.paste.columns.${key}`),
              cell: (choice: PastedChoices['lines'][number]) => choice[key],
            })),
            {
              key: 'fate',
              title: t('props.paste.columns.fate'),
              short: true as const,
              cell: ({ fate }) => (
                <span className={classes.fate} data-fate={fate}>
                  {t(`props.paste.fates.${fate}`)}
                </span>
              ),
            },
          ]}
        />
      </div>
    </div>
  )
}
