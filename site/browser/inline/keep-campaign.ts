/** Links back to the questions keep the campaign's parameters, so the lead of someone who tries again still counts for it. */
for (const link of document.querySelectorAll('a[href="/"]')) link.setAttribute('href', `/${location.search}`)
