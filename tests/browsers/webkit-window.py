#!/usr/bin/python3
"""A bare WebKitGTK window for WebKitWebDriver: as narrow as a phone, which WebKit's own MiniBrowser cannot be.

webkit-window.py WIDTH HEIGHT [--without-script] [--automation, which the driver adds]
"""
import sys

import gi

gi.require_version('Gtk', '3.0')
gi.require_version('WebKit2', '4.1')
from gi.repository import Gdk, Gtk, WebKit2  # noqa: E402

width, height = map(int, sys.argv[1:3])
# Nothing is kept from one session to the next.
context = WebKit2.WebContext.new_ephemeral()
context.set_automation_allowed(True)


def open_window(_session):
    view = WebKit2.WebView(web_context=context, is_controlled_by_automation=True)
    view.get_settings().set_enable_javascript('--without-script' not in sys.argv)
    window = Gtk.Window()
    window.set_decorated(False)
    window.set_default_size(width, height)
    window.add(view)
    # There is no window manager that would give it the keyboard: without it, no page believes that it has the focus.
    window.connect('map-event', lambda *_: window.get_window().focus(Gdk.CURRENT_TIME))
    window.show_all()
    view.grab_focus()
    view.connect('close', lambda *_: Gtk.main_quit())
    return view


def introduce(_context, session):
    info = WebKit2.ApplicationInfo()
    info.set_name('webkit-window')
    version = (WebKit2.get_major_version(), WebKit2.get_minor_version(), WebKit2.get_micro_version())
    info.set_version(*version)
    session.set_application_info(info)
    session.connect('create-web-view', open_window)


context.connect('automation-started', introduce)
Gtk.main()
