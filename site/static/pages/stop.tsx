/** The page where anyone can ask us to stop contacting them. Works without a script. The server answers the form: server/intake/stop.ts. */

import { inputAttributes } from '../../../domain/contact/contact-fields.ts'
import { STOP_FIELDS, STOP_PATH } from '../../../domain/do-not-call/stop.ts'
import { fileIn, pathInLanguage } from '../../../domain/languages.ts'
import type { StopCopy } from '../../../site-folder/types.ts'
import { Button, outlined } from '../../components/button.tsx'
import { Field } from '../../components/field.tsx'
import { CallLink } from '../call.tsx'
import { fileAt, type Page, plainPage, type SiteCopy } from '../page.ts'
import { problemPage, shortProblemPage } from './problem.tsx'

/** The form, a template to show it again with errors, and the two answers. */
export function stopPages(copy: StopCopy, errorTitlePrefix: string, site: SiteCopy): readonly Page[] {
  const path = pathInLanguage(site.language, STOP_PATH)
  const again = { ...copy, title: `${errorTitlePrefix}${copy.title}` }
  return [
    {
      ...plainPage(path, fileAt(path), copy, site),
      hasCallButton: true,
      render: ({ hasReceiver }) => <Stop copy={copy} relay={site.relay} action={hasReceiver ? path : null} />,
    },
    {
      ...plainPage(null, fileIn(site.language, 'stop-form.html'), again, site),
      hasCallButton: true,
      render: () => <Stop copy={copy} relay={site.relay} action={path} slots />,
    },
    problemPage('stop-done.html', copy.done, site),
    shortProblemPage('stop-error.html', copy.notRecorded, site),
  ]
}

interface StopProps {
  readonly copy: StopCopy
  readonly relay: string | null
  /** Null if there is no server to send the form to. */
  readonly action: string | null
  readonly slots?: boolean
}

function Stop({ copy: { heading, lead, fields, button, call }, relay, action, slots = false }: StopProps) {
  const slot = (name: string) => (slots ? `{{${name}}}` : undefined)
  return (
    <div className="mx-auto grid max-w-[40rem] grid-cols-1 gap-6 px-[20px] py-10 lg:py-16">
      <h1 className="text-headline">{heading}</h1>
      {action && (
        <form method="post" action={action} noValidate className="grid grid-cols-1 gap-5">
          <p>{lead}</p>
          {STOP_FIELDS.map(name => (
            <Field
              key={name}
              {...inputAttributes(name)}
              // Without a script, a limit would cut off a pasted number.
              maxLength={undefined}
              required={false}
              name={name}
              label={fields[name]}
              error={slot(`error:${name}`)}
              hasMessage={slots}
              defaultValue={slot(`value:${name}`)}
              {...(slots && { 'aria-invalid': slot(`invalid:${name}`) as 'true' })}
            />
          ))}
          <Button type="submit" className="min-h-18 text-title">
            {button}
          </Button>
        </form>
      )}
      <div>
        <p className="pb-3">{call}</p>
        <CallLink look={outlined} className="max-sm:w-full" />
        {relay && <p className="pt-3 text-note">{relay}</p>}
      </div>
    </div>
  )
}
