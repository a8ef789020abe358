import { Button, Group, Skeleton, Text, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { LONGEST_TEMPLATE, readTemplate } from '#core/study/patientNumber.ts'
import { useServerQuery } from '#src/data/server.ts'
import { Note } from '#src/ui/Note.tsx'
import { useErrorText } from '#src/ui/words/errorText.ts'

import classes from './numberTemplate.module.css'
import { useTemplateProblem } from './templateProblem.ts'

interface NumberTemplateFieldProps {
  readonly projectId: string
  /** The center that gets the template; null for the project. */
  readonly centerId: string | null
  readonly value: string
  readonly onChange: (value: string) => void
}

const TOKENS = ['{SiteCode}', '{SiteNo:00}', '{Seq:000}', '{StudySeq:0000}'] as const

/** How long after the last key the server is asked for the next numbers, in milliseconds. */
const ASK_AFTER_MS = 300

/**
 * A template of subject numbers. A tap adds a part, and the field at once shows the next numbers, or why the template
 * is invalid.
 */
export function NumberTemplateField({ projectId, centerId, value, onChange }: NumberTemplateFieldProps) {
  const { t } = useTranslation('admin')
  const problemText = useTemplateProblem()
  const field = useRef<HTMLInputElement>(null)
  const [asked] = useDebouncedValue(value, ASK_AFTER_MS)
  const read = readTemplate(value)
  const insert = (token: string) => {
    const [from, to] = [field.current?.selectionStart ?? value.length, field.current?.selectionEnd ?? value.length]
    onChange(`${value.slice(0, from)}${token}${value.slice(to)}`)
    field.current?.focus()
  }
  return (
    <div className={classes.field}>
      <TextInput
        ref={field}
        size="md"
        required
        label={t('template.label')}
        description={t('template.hint')}
        maxLength={LONGEST_TEMPLATE}
        autoComplete="off"
        spellCheck={false}
        value={value}
        error={read.ok ? null : problemText(`template_${read.error}`)}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
      <fieldset className={classes.tokens}>
        <legend>{t('template.tokens')}</legend>
        <Group gap="xs">
          {TOKENS.map((token) => (
            <Button key={token} variant="default" size="md" onClick={() => insert(token)}>
              <span className={classes.token}>
                <code>{token}</code>
                <Text span size="xs" c="dimmed">
                  {t(
                    `template.token.${token.slice(1, -1).replace(/:.*/, '') as 'SiteCode' | 'SiteNo' | 'Seq' | 'StudySeq'}`,
                  )}
                </Text>
              </span>
            </Button>
          ))}
        </Group>
      </fieldset>
      {read.ok && asked === value && <TemplatePreview projectId={projectId} centerId={centerId} template={value} />}
      {read.ok && asked !== value && <Skeleton height={52} radius="sm" />}
    </div>
  )
}

/**
 * Shows the next numbers of a template. The server works them out, because it knows all numbers that were given before.
 * @param template null for the project's template
 */
export function TemplatePreview({
  projectId,
  centerId,
  template,
}: {
  readonly projectId: string
  readonly centerId: string | null
  readonly template: string | null
}) {
  const { t } = useTranslation('admin')
  const errorText = useErrorText()
  const problemText = useTemplateProblem()
  const preview = useServerQuery('center.numberPreview', {
    query: { projectId, ...(centerId === null ? {} : { centerId }), ...(template === null ? {} : { template }) },
    projectId,
  })
  if (preview.state === 'loading') return <Skeleton height={52} radius="sm" />
  if (preview.state === 'failed') return <Note tone="error">{errorText(preview.error)}</Note>
  const { problem, numbers } = preview.value
  if (problem !== null) {
    return (
      <Note tone="error" live>
        {problemText(problem)}
      </Note>
    )
  }
  if (numbers.length === 0) return <Text size="sm">{t('template.nobody')}</Text>
  return (
    <output className={classes.preview}>
      <span className={classes.title}>{t('template.next')}</span>
      <ul className={classes.numbers}>
        {numbers.slice(0, SHOWN).map(({ centerId: id, centerName, no }) => (
          <li key={id}>
            <strong>{no}</strong> <span className={classes.center}>{centerName}</span>
          </li>
        ))}
      </ul>
      {numbers.length > SHOWN && (
        <span className={classes.center}>{t('template.more', { count: numbers.length - SHOWN })}</span>
      )}
    </output>
  )
}

/** How many centers show their next number; the other numbers are built in the same way. */
const SHOWN = 6
