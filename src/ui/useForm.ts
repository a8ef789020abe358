import { useForm as useMantineForm } from '@mantine/form'
import type { UseFormInput, UseFormReturnType } from '@mantine/form'
import { useLayoutEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'

/**
 * Mantine's form, whose errors follow the language. The library keeps an error in the words in which it was found; in
 * another language the fields that have one are checked again, before the browser paints, and no other field is.
 */
export function useForm<Values extends object>(input: UseFormInput<Values>): UseFormReturnType<Values> {
  const { language } = useTranslation().i18n
  const form = useMantineForm<Values>(input)
  const worded = useRef(language)
  useLayoutEffect(() => {
    if (worded.current === language) return
    worded.current = language
    for (const path of Object.keys(form.errors)) form.validateField(path)
  })
  return form
}
