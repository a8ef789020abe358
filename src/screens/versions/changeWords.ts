import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { FIELD_TYPES } from '#core/form/definition/column.ts'
import type { JsonValue } from '#core/json.ts'
import type { AspectChange } from '#core/design/difference/fieldDifference.ts'
import type { FolderSide, PageSide } from '#core/design/difference/versionDifference.ts'

/** The text before and after, in words. */
export interface FromTo {
  readonly from: string
  readonly to: string
}

export interface ChangeWords {
  readonly aspectWords: (change: AspectChange) => FromTo
  readonly sideWords: (side: FolderSide | PageSide, value: JsonValue) => string
}

/** Words for the parts of a definition that changed. A part without words is shown as the definition has it. */
export function useChangeWords(): ChangeWords {
  const { t } = useTranslation(['versions', 'design'])
  return useMemo(() => {
    const words = (value: JsonValue): string => {
      if (value === null || value === '') return t('diff.nothing')
      if (typeof value === 'boolean') return t(value ? 'diff.yes' : 'diff.no')
      if (typeof value !== 'object') return String(value)
      if (Array.isArray(value))
        return value.length === 0 ? t('diff.nothing') : value.map((one: JsonValue) => words(one)).join('、')
      return JSON.stringify(value, null, 1).replace(/[{}"]/g, '').trim() || t('diff.nothing')
    }
    const modes = (value: JsonValue): string => {
      const on = isRecord(value) ? (['add', 'input', 'view'] as const).filter((mode) => value[mode] === true) : []
      return on.length === 0
        ? t('diff.no')
        : on.length === 3
          ? t('diff.yes')
          : on.map((mode) => t(`diff.modes.${mode}`)).join('、')
    }
    const checks = (value: JsonValue): string => {
      const lines = (Array.isArray(value) ? (value as readonly JsonValue[]) : [])
        .filter(isRecord)
        .map(({ when, severity, message }) => {
          const said =
            message !== undefined && isRecord(message)
              ? [message['zh'], message['en']]
                  .flatMap((one) => (typeof one === 'string' && one !== '' ? [one] : []))
                  .join(' / ')
              : null
          return `${t(`diff.severities.${severity === 'warning' || severity === 'query' ? severity : 'error'}`)} ${words(said)} ${words(when ?? null)}`
        })
      return lines.length === 0 ? t('diff.nothing') : lines.join('\n')
    }
    const range = (value: JsonValue): string => {
      const [min = null, max = null] = Array.isArray(value) ? (value as readonly JsonValue[]) : []
      return min === null && max === null
        ? t('diff.nothing')
        : `${min === null ? '…' : words(min)} – ${max === null ? '…' : words(max)}`
    }
    const references = (value: JsonValue): string => {
      const lines = (Array.isArray(value) ? (value as readonly JsonValue[]) : [])
        .filter(isRecord)
        .map(
          ({ when = null, min = null, max = null }) =>
            `${range([min, max])}${when === null ? '' : ` (${words(when)})`}`,
        )
      return lines.length === 0 ? t('diff.nothing') : lines.join('\n')
    }
    const plan = (value: JsonValue): string => {
      if (!isRecord(value)) return t('diff.nothing')
      const { kind, day, before, after } = value
      return kind === 'planned'
        ? t('diff.plans.planned', { day: Number(day), before: Number(before), after: Number(after) })
        : t(kind === 'log' ? 'diff.plans.log' : 'diff.plans.unscheduled')
    }
    const aspect = (change: Exclude<AspectChange, { readonly aspect: 'choices' }>, value: JsonValue): string => {
      if (change.aspect === 'bounds' || change.aspect === 'plausible') return range(value)
      if (change.aspect === 'reference') return references(value)
      if (change.aspect === 'checks') return checks(value)
      if (change.aspect === 'type') return t(`design:types.${FIELD_TYPES.find((type) => type === value) ?? 'input'}`)
      return change.aspect === 'hidden' || change.aspect === 'readOnly' ? modes(value) : words(value)
    }
    return {
      sideWords: (side, value) => (side === 'schedule' ? plan(value) : words(value)),
      aspectWords: (change) => {
        if (change.aspect !== 'choices') return { from: aspect(change, change.from), to: aspect(change, change.to) }
        const lines = (of: 'from' | 'to') =>
          change.choices.map((one) => `${one.value} ${one[of] ?? t('diff.nothing')}`).join('\n')
        return { from: lines('from'), to: lines('to') }
      },
    }
  }, [t])
}

type Fields = Readonly<Record<string, JsonValue>>

function isRecord(value: JsonValue): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
