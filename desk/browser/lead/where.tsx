/** Where the person came from: page, campaign, address, browser. */

import { Link } from 'wouter'
import type { LeadAnswer } from '../../api/lead.ts'
import { hrefOfFilter } from '../leads-address.ts'
import { Card } from '../ui/card.tsx'
import { besideCopy, CopyButton } from '../ui/copy-button.tsx'
import { Fact, Facts } from '../ui/facts.tsx'
import { campaignName, pageName, shortened } from '../words/names.tsx'

export function Where({ lead }: { readonly lead: LeadAnswer }) {
  const parameters = Object.entries(lead.campaignParameters)
  return (
    <Card title="Where it came from">
      <Facts>
        <Fact name="Page">
          <Link href={hrefOfFilter({ page: lead.page })} className="underline underline-offset-4">
            {shortened(pageName(lead.page), 120)}
          </Link>
          {lead.variant === '' ? '' : `, variant ${lead.variant}`}
        </Fact>
        <Fact name="Campaign">
          <Link href={hrefOfFilter({ campaign: lead.campaign })} className="underline underline-offset-4">
            {shortened(campaignName(lead.campaign), 160)}
          </Link>
        </Fact>
        {lead.clientAddress === null ? null : <Fact name="Address">{lead.clientAddress}</Fact>}
        {lead.userAgent === null ? null : (
          <Fact name="Browser">
            <span className="text-small">{shortened(lead.userAgent, 300)}</span>
          </Fact>
        )}
        <Fact name="Id">
          <span className="flex flex-wrap items-start gap-x-1">
            <span className={`font-mono text-small ${besideCopy}`}>{lead.id}</span>
            <span className="-my-2.5">
              <CopyButton text={lead.id} what="the id" />
            </span>
          </span>
        </Fact>
      </Facts>
      {parameters.length === 0 ? null : (
        <details className="mt-3">
          <summary className="min-h-8 font-bold">Everything in the link</summary>
          <dl className="mt-2 flex flex-col gap-1 text-small">
            {parameters.map(([name, value]) => (
              <div key={name} className="flex flex-wrap justify-between gap-x-4 border-t border-line pt-1">
                <dt className="text-ink-soft">{shortened(name, 80)}</dt>
                <dd>
                  <bdi>{shortened(value, 300)}</bdi>
                </dd>
              </div>
            ))}
          </dl>
        </details>
      )}
    </Card>
  )
}
